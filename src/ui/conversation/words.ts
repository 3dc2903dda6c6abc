// Between the text that an agent sent and the text that stands on screen: Markdown signs are not
// shown, white space is joined. What is shown stands in what was sent, in that order.

/** Farther than this, a sign that is shown is not looked for in what was sent. */
const LOOK_AHEAD = 500;

/** For each character shown, its place in the text that was sent. */
export function placesIn(sent: string, shown: string): Uint32Array {
  const places = new Uint32Array(shown.length + 1);
  let at = 0;
  for (let i = 0; i < shown.length; i++) {
    const sign = shown.charAt(i);
    if (sign.trim() !== '') {
      const found = sent.slice(at, at + LOOK_AHEAD).indexOf(sign);
      if (found >= 0) at += found;
      places[i] = at;
      if (found >= 0) at++;
    } else places[i] = at;
  }
  places[shown.length] = sent.length;
  return places;
}

/** The part of what is shown that stands for [from, to) of what was sent. */
export function shownPart(
  sent: string,
  shown: string,
  from: number,
  to: number,
): { readonly from: number; readonly to: number } {
  const places = placesIn(sent, shown);
  const first = places.findIndex((place) => place >= from);
  const after = places.findIndex((place) => place >= to);
  const begin = first < 0 ? shown.length : first;
  return { from: begin, to: Math.max(begin, after < 0 ? shown.length : after) };
}
