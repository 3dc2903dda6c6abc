// Tokens of services, made here, so that no scanner of this repository takes them for real ones.
let state = 7;
export function letters(
  count: number,
  of = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789',
): string {
  let out = '';
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    out += of[(state >>> 8) % of.length] ?? '';
  }
  return `${out.slice(0, -2)}4a`.slice(-count);
}
const UPPER = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const HEX = '0123456789abcdef';

/** Known by how they look, wherever they stand. */
export const TOKENS: Readonly<Record<string, string>> = {
  anthropic: `sk-ant-api03-${letters(60)}`,
  'openai project': `sk-proj-${letters(48)}`,
  openai: `sk-${letters(48)}`,
  openrouter: `sk-or-v1-${letters(64, HEX)}`,
  groq: `gsk_${letters(52)}`,
  xai: `xai-${letters(80)}`,
  perplexity: `pplx-${letters(48)}`,
  nvidia: `nvapi-${letters(64)}`,
  replicate: `r8_${letters(37)}`,
  'hugging face': `hf_${letters(34)}`,
  github: `ghp_${letters(36)}`,
  'github oauth': `gho_${letters(36)}`,
  'github server': `ghs_${letters(36)}`,
  'github fine': `github_pat_${letters(22)}_${letters(59)}`,
  gitlab: `glpat-${letters(20)}`,
  'gitlab runner': `glrt-${letters(20)}`,
  npm: `npm_${letters(36)}`,
  pypi: `pypi-${letters(60)}`,
  rubygems: `rubygems_${letters(48, HEX)}`,
  docker: `dckr_pat_${letters(27)}`,
  atlassian: `ATATT3${letters(60)}`,
  aws: `AKIA${letters(16, UPPER)}`.slice(0, 18) + 'QZ',
  'aws session': `ASIA${letters(16, UPPER)}`.slice(0, 18) + 'QZ',
  google: `AIza${letters(35)}`,
  'google oauth': `ya29.${letters(60)}`,
  'google client': `GOCSPX-${letters(28)}`,
  digitalocean: `dop_v1_${letters(64, HEX)}`,
  vault: `hvs.${letters(40)}`,
  tailscale: `tskey-auth-${letters(30)}`,
  databricks: `dapi${letters(32, HEX)}`,
  supabase: `sbp_${letters(40, HEX)}`,
  slack: `xoxb-${letters(12, '0123456789')}-${letters(24)}`,
  'slack app': `xapp-1-${letters(40)}`,
  stripe: `sk_live_${letters(24)}`,
  'stripe hook': `whsec_${letters(32)}`,
  sendgrid: `SG.${letters(22)}.${letters(43)}`,
  mailgun: `key-${letters(32, HEX)}`,
  shopify: `shpat_${letters(32, HEX)}`,
  linear: `lin_api_${letters(40)}`,
  notion: `ntn_${letters(46)}`,
  sentry: `sntrys_${letters(60)}`,
  grafana: `glsa_${letters(41)}`,
  posthog: `phc_${letters(43)}`,
  figma: `figd_${letters(40)}`,
  'new relic': `NRAK-${letters(27, UPPER)}`,
  square: `sq0atp-${letters(22)}`,
  telegram: `123456789:AA${letters(33)}`,
  'signed token': `eyJ${letters(20)}.eyJ${letters(40)}.${letters(43)}`,
  fireworks: `fw_${letters(24)}`,
  langsmith: `lsv2_pt_${letters(32, HEX)}_${letters(10, HEX)}`,
  e2b: `e2b_${letters(40, HEX)}`,
  tavily: `tvly-${letters(32)}`,
  firecrawl: `fc-${letters(32, HEX)}`,
  bitbucket: `ATBB${letters(32)}`,
  clojars: `CLOJARS_${letters(60, HEX)}`,
  nuget: `oy2${letters(43).toLowerCase()}`,
  'crates.io': `cio${letters(32)}`,
  doppler: `dp.pt.${letters(43)}`,
  planetscale: `pscale_tkn_${letters(43)}`,
  'grafana cloud': `glc_eyJ${letters(60)}`,
  'notion, of before': `secret_${letters(43)}`,
  twilio: `SK${letters(32, HEX)}`,
  'discord hook': `https://discord.com/api/webhooks/123456789012345678/${letters(68)}`,
  'hash of a password': `$6$rounds=5000$${letters(16)}$${letters(86)}`,
  bcrypt: `$2b$12$${letters(53)}`,
  age: `AGE-SECRET-KEY-1${letters(58, UPPER)}`,
};
