// Tokens of services, known by their first letters. Each pattern begins with a word or sign that is rare, and
// repeats within bounds, so that no text makes it slow.

/** Six signs between dots. */
const DOTTED = '\\.[\\w-]{6}\\.';

/** What stands in each of them, and how it looks: the pattern costs more than to look for that. */
const TOKENS: readonly (readonly [marks: readonly string[], pattern: string])[] = [
  // Model providers.
  [['sk-'], 'sk-ant-[\\w-]{8,}'],
  [['sk-'], 'sk-(?=[\\w-]{0,80}\\d)[\\w-]{16,}'],
  [['gsk_'], 'gsk_[A-Za-z0-9]{20,}'],
  [['xai-'], 'xai-[A-Za-z0-9]{20,}'],
  [['pplx-'], 'pplx-[A-Za-z0-9]{20,}'],
  [['nvapi-'], 'nvapi-[\\w-]{20,}'],
  [['r8_'], 'r8_[A-Za-z0-9]{20,}'],
  [['hf_'], 'hf_[A-Za-z0-9]{20,}'],
  [['fw_'], 'fw_[A-Za-z0-9]{24}'],
  [['lsv2_'], 'lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}'],
  [['e2b_'], 'e2b_[0-9a-f]{40}'],
  [['tvly-'], 'tvly-[\\w-]{20,}'],
  [['fc-'], 'fc-[0-9a-f]{32}'],
  // Code hosts and package registries.
  [['gh'], 'gh[oprsu]_[A-Za-z0-9]{16,}'],
  [['github_pat_'], 'github_pat_\\w{16,}'],
  [['gl'], 'gl(?:pat|ptt|dt|rt|soat|cbt|ft|agent|imt)-[\\w-]{16,}'],
  [['npm_'], 'npm_[A-Za-z0-9]{20,}'],
  [['pypi-'], 'pypi-[\\w-]{30,}'],
  [['rubygems_'], 'rubygems_[0-9a-f]{40,}'],
  [['dckr_pat_'], 'dckr_pat_[\\w-]{20,}'],
  [['CCIPAT_'], 'CCIPAT_\\w{20,}'],
  [['ATATT3'], 'ATATT3[\\w=-]{30,}'],
  [['ATBB'], 'ATBB[A-Za-z0-9]{28,}'],
  [['CLOJARS_'], 'CLOJARS_[0-9a-f]{60}'],
  [['oy2'], 'oy2[a-z0-9]{43}'],
  [['cio'], 'cio[A-Za-z0-9]{32}'],
  // Clouds.
  [
    ['AKIA', 'ASIA', 'AGPA', 'AIDA', 'AROA', 'ABIA'],
    '(?:AKIA|ASIA|AGPA|AIDA|AROA|ABIA)[A-Z0-9]{16}',
  ],
  [['AIza'], 'AIza[\\w-]{30,}'],
  [['ya29.'], 'ya29\\.[\\w-]{20,}'],
  [['GOCSPX-'], 'GOCSPX-[\\w-]{20,}'],
  [['_v1_'], 'do[opr]_v1_[0-9a-f]{32,}'],
  [['hv'], 'hv[sbr]\\.[\\w-]{20,}'],
  [['tskey-'], 'tskey-[\\w-]{16,}'],
  [['dapi'], 'dapi[0-9a-f]{32}'],
  [['sbp_'], 'sbp_[0-9a-f]{32,}'],
  [['dp.'], 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{40,}'],
  [['pscale_'], 'pscale_(?:tkn|pw|oauth)_[\\w.=-]{32,}'],
  [['fm1_', 'fm2_'], 'fm[12]_[\\w+/=-]{40,}'],
  [['AGE-SECRET-KEY-1'], 'AGE-SECRET-KEY-1[A-Z0-9]{40,}'],
  // Services.
  [['xox'], 'xox[abeoprs]-[\\w-]{10,}'],
  [['xapp-'], 'xapp-[\\w-]{20,}'],
  [['_live_', '_test_'], '(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}'],
  [['whsec_'], 'whsec_[A-Za-z0-9+/=]{20,}'],
  [['SG.'], 'SG\\.[\\w-]{16,80}\\.[\\w-]{16,}'],
  [['key-'], 'key-[0-9a-f]{32}'],
  [['shp'], 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}'],
  [['lin_'], 'lin_(?:api|oauth)_[A-Za-z0-9]{30,}'],
  [['ntn_', 'secret_'], '(?:ntn|secret)_[A-Za-z0-9]{43,}'],
  [['sntr'], 'sntr[yu]s_[\\w=+/-]{30,}'],
  [['glsa_'], 'glsa_\\w{30,}'],
  [['glc_'], 'glc_eyJ[\\w+/=-]{20,}'],
  [['phc_', 'phx_'], 'ph[cx]_[A-Za-z0-9]{30,}'],
  [['figd_'], 'figd_[\\w-]{20,}'],
  [['PMAK-'], 'PMAK-[0-9a-f-]{50,}'],
  [['NRAK-'], 'NRAK-[A-Z0-9]{20,}'],
  [['sq0'], 'sq0(?:atp|csp)-[\\w-]{20,}'],
  [['ops_eyJ'], 'ops_eyJ[\\w-]{40,}'],
  [['SK'], 'SK[0-9a-f]{32}'],
  [['webhooks/'], '(?<=webhooks/)\\d{17,20}/[\\w-]{60,}'],
  [['/B'], 'T[A-Z0-9]{8,10}/B[A-Z0-9]{8,12}/[A-Za-z0-9]{20,}'],
  [[':AA'], '\\d{8,10}:AA[\\w-]{30,}'],
  [['.'], `[MN][A-Za-z\\d]{23,26}${DOTTED}[\\w-]{27,}`],
  // What a password was made into, in files of systems and servers.
  [
    ['$1$', '$5$', '$6$', '$y$', '$apr1$', '$2', '$argon2'],
    '\\$(?:[156y]|apr1|2[abxy]|argon2id?)\\$[\\w./$=,+-]{20,}',
  ],
  // A signed token of three parts; the last may be missing.
  [['eyJ'], 'eyJ[\\w-]{8,400}\\.eyJ[\\w-]{4,}(?:\\.[\\w-]*)?'],
  [['eyJ'], 'eyJ[\\w-]{8,400}\\.[\\w-]{8,4000}\\.[\\w-]{8,}'],
  // The same, once more in base64.
  [['ZXlK'], 'ZXlK[\\w+/-]{40,}={0,2}'],
];

/** No letter stands before it, but for the end of a colour of a terminal and of an escaped sign. */
const BEFORE = '(?:(?<![A-Za-z0-9])|(?<=\\u001b\\[[\\d;]{0,12}m)|(?<=\\\\[nrt]))';

const PATTERNS = TOKENS.map(([marks, pattern]) => ({
  marks,
  pattern: new RegExp(`${BEFORE}(?:${pattern})`, 'g'),
}));

/** No token is shorter. */
const SHORTEST = 15;
/** One of their marks, at a cost that does not grow with them; a dot alone stands in every text. */
const MARKED = new RegExp(
  TOKENS.flatMap(([marks]) => marks)
    .map((mark) => (mark === '.' ? DOTTED : mark.replace(/[.$]/g, '\\$&')))
    .join('|'),
);

/** Patterns of tokens that the text may hold; stateful, so that a reader sets `lastIndex`. */
export function tokenPatterns(text: string): readonly RegExp[] {
  if (text.length < SHORTEST || !MARKED.test(text)) return [];
  return PATTERNS.flatMap(({ marks, pattern }) =>
    marks.some((mark) => text.includes(mark)) ? [pattern] : [],
  );
}
