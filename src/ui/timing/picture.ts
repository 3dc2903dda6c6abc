// A drawing of the page as a picture for elsewhere: an SVG that stands for itself, or a PNG of it.

/** What the style sheets of the page say of a drawing. */
const STYLES = [
  ...['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity'],
  ...['font-family', 'font-size', 'font-weight', 'text-anchor'],
];
const MARGIN = 8;
/** Pixels of a PNG for one of the page. */
const SCALE = 2;

/** The text of the drawing, its colours as they are now, on the colour behind it. */
export function pictureText(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const copies = [copy, ...copy.querySelectorAll('*')];
  for (const [at, element] of [svg, ...svg.querySelectorAll('*')].entries()) {
    const target = copies[at];
    if (!target) continue;
    const style = getComputedStyle(element);
    for (const name of STYLES) target.setAttribute(name, style.getPropertyValue(name));
    for (const name of ['class', 'style', 'data-picture', 'aria-hidden'])
      target.removeAttribute(name);
  }
  const { width, height } = sizeOf(svg);
  const [w, h] = [width + 2 * MARGIN, height + 2 * MARGIN];
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(w));
  copy.setAttribute('height', String(h));
  copy.setAttribute('viewBox', `${-MARGIN} ${-MARGIN} ${w} ${h}`);
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  const size = { x: -MARGIN, y: -MARGIN, width: w, height: h };
  for (const [name, value] of Object.entries(size)) ground.setAttribute(name, String(value));
  const behind = svg.closest('.panel-bg') ?? document.body;
  ground.setAttribute('fill', getComputedStyle(behind).backgroundColor);
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

function sizeOf(svg: SVGSVGElement): { readonly width: number; readonly height: number } {
  const { width, height } = svg.viewBox.baseVal;
  return { width, height };
}

/** `text`: of an SVG of `pictureText`. */
export async function pngOf(text: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * SCALE;
  canvas.height = image.naturalHeight * SCALE;
  const context = canvas.getContext('2d');
  context?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture was made'))));
  });
}
