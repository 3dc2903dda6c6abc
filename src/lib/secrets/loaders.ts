// Finds the variables that decide what runs, by their names. The person who approves a launch sees their values.
import { SECRET_VARIABLE } from './names.ts';

// Names that the loader of the system, an interpreter, a shell, Git or npm reads to find code, or options that name code.
const LOADERS = [
  ...['_?LD_\\w*', '_RLD\\w*', 'DYLD_\\w*', 'GCONV_\\w*', 'GLIBC_\\w*', 'MALLOC_\\w*', 'GIT_\\w*'],
  ...['npm_config_.*', 'COREPACK_\\w*', 'NODE_(?:REPL_EXTERNAL_MODULE|TLS_REJECT_UNAUTHORIZED)'],
  ...['BUN_INSTALL', 'DENO_DIR', 'TS_NODE_\\w*', 'ELECTRON_\\w*', 'VSCODE_\\w*', 'PYTHON\\w*'],
  ...[
    'VIRTUAL_ENV',
    'CONDA_\\w*',
    'RUBY\\w*',
    'GEM_\\w*',
    'BUNDLE_GEMFILE',
    'PERL\\w*',
    'LUA_\\w*',
    'PHPRC',
  ],
  ...[
    'PHP_INI_SCAN_DIR',
    'R_(?:PROFILE|ENVIRON)\\w*',
    '_?JAVA_\\w*',
    'JDK_\\w*',
    'JRE_\\w*',
    'DOTNET_\\w*',
  ],
  ...[
    'COMPLUS_\\w*',
    'COR_\\w*',
    'CORECLR_\\w*',
    'RUSTC?_?WRAPPER',
    'RUSTC',
    'CARGO_HOME',
    'GOENV',
    'GOROOT',
  ],
  ...[
    'CC',
    'CXX',
    'OPENSSL_\\w*',
    'SHELL',
    'SHELLOPTS',
    'BASHOPTS',
    'BASH_\\w*',
    'ENV',
    'ZDOTDIR',
    'IFS',
  ],
  ...[
    'PROMPT_COMMAND',
    'PS[0-4]',
    'COMSPEC',
    'PATHEXT',
    'SYSTEMROOT',
    'WINDIR',
    'SYSTEMDRIVE',
    'PSMODULE\\w*',
  ],
  ...[
    'HOME',
    'USERPROFILE',
    'XDG_\\w*',
    'APPDATA',
    'LOCALAPPDATA',
    'EDITOR',
    'VISUAL',
    'PAGER',
    'BROWSER',
  ],
  ...[
    'LESSOPEN',
    'LESSCLOSE',
    'SSH_(?:ASKPASS\\w*|AUTH_SOCK)',
    'SUDO_ASKPASS',
    'DISPLAY',
    'TERMINFO\\w*',
  ],
];
/** By the end of a name: where code is looked for, what is run, where it connects to, and whom it trusts there. */
const LOADER_ENDS = [
  ...[
    'PATHS?',
    'OPTIONS',
    'OPTS?',
    'FLAGS',
    'HOOKS?',
    'PRELOAD',
    'COMMAND',
    'CMD',
    'EDITOR',
    'PAGER',
    'ASKPASS',
  ],
  ...[
    '_PROXY',
    '_URL',
    '_URI',
    '_HOST',
    '_ENDPOINT',
    '_CERTS?',
    '_CERT_(?:FILE|DIR)',
    '_CA_BUNDLE',
    '_CAINFO',
  ],
  ...['_HOME', '_DIR', '_FILE', '_CONFIG', 'APPLICATION_CREDENTIALS'],
];
const LOADER = new RegExp(`^(?:${LOADERS.join('|')}|.*(?:${LOADER_ENDS.join('|')}))$`, 'is');

/** Whether a variable of this name decides which code runs, or to whom it connects. Its value is never kept from view. */
export function decidesWhatRuns(name: string): boolean {
  return LOADER.test(name);
}

/**
 * Whether a variable is a secret by its name alone: whoever asks what may run must be shown the value of any
 * other, because its beginning may look like a secret while the rest is a path.
 */
export function isSecretVariable(name: string): boolean {
  return SECRET_VARIABLE.test(name) && !decidesWhatRuns(name);
}
