// How tokens look that are known by their first letters, wherever they stand.

const TOKENS = [
  // Model providers.
  'sk-ant-[\\w-]{8,}',
  'sk-(?=[\\w-]{0,80}\\d)[\\w-]{16,}',
  'gsk_[A-Za-z0-9]{20,}',
  'xai-[A-Za-z0-9]{20,}',
  'pplx-[A-Za-z0-9]{20,}',
  'nvapi-[\\w-]{20,}',
  'r8_[A-Za-z0-9]{20,}',
  'hf_[A-Za-z0-9]{20,}',
  // Code hosts and package registries.
  'gh[oprsu]_[A-Za-z0-9]{16,}',
  'github_pat_\\w{16,}',
  'gl(?:pat|ptt|dt|rt|soat|cbt|ft|agent|imt)-[\\w-]{16,}',
  'npm_[A-Za-z0-9]{20,}',
  'pypi-[\\w-]{30,}',
  'rubygems_[0-9a-f]{40,}',
  'dckr_pat_[\\w-]{20,}',
  'CCIPAT_\\w{20,}',
  'ATATT3[\\w=-]{30,}',
  // Clouds.
  '(?:AKIA|ASIA|AGPA|AIDA|AROA|ABIA)[A-Z0-9]{16}',
  'AIza[\\w-]{30,}',
  'ya29\\.[\\w-]{20,}',
  'GOCSPX-[\\w-]{20,}',
  'do[opr]_v1_[0-9a-f]{32,}',
  'hv[sbr]\\.[\\w-]{20,}',
  'tskey-[\\w-]{16,}',
  'dapi[0-9a-f]{32}',
  'sbp_[0-9a-f]{32,}',
  'fm[12]_[\\w+/=-]{40,}',
  'AGE-SECRET-KEY-1[A-Z0-9]{40,}',
  // Services.
  'xox[abeoprs]-[\\w-]{10,}',
  'xapp-[\\w-]{20,}',
  '(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}',
  'whsec_[A-Za-z0-9+/=]{20,}',
  'SG\\.[\\w-]{16,80}\\.[\\w-]{16,}',
  'key-[0-9a-f]{32}',
  'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}',
  'lin_(?:api|oauth)_[A-Za-z0-9]{30,}',
  'ntn_[A-Za-z0-9]{30,}',
  'sntr[yu]s_[\\w=+/-]{30,}',
  'glsa_\\w{30,}',
  'ph[cx]_[A-Za-z0-9]{30,}',
  'figd_[\\w-]{20,}',
  'PMAK-[0-9a-f-]{50,}',
  'NRAK-[A-Z0-9]{20,}',
  'sq0(?:atp|csp)-[\\w-]{20,}',
  'ops_eyJ[\\w-]{40,}',
  'T[A-Z0-9]{8,10}/B[A-Z0-9]{8,12}/[A-Za-z0-9]{20,}',
  '\\d{8,10}:AA[\\w-]{30,}',
  '[MN][A-Za-z\\d]{23,26}\\.[\\w-]{6}\\.[\\w-]{27,}',
  // A signed token of three parts; the last may be missing.
  'eyJ[\\w-]{8,400}\\.eyJ[\\w-]{4,}(?:\\.[\\w-]*)?',
  'eyJ[\\w-]{8,400}\\.[\\w-]{8,4000}\\.[\\w-]{8,}',
];

/** No letter stands before it, but for the end of a colour of a terminal and of an escaped sign. */
const BEFORE = '(?:(?<![A-Za-z0-9])|(?<=\\u001b\\[[\\d;]{0,12}m)|(?<=\\\\[nrt]))';

/** Any of them; stateful, so that a reader sets `lastIndex`. */
export const TOKEN = new RegExp(`${BEFORE}(?:${TOKENS.join('|')})`, 'g');
