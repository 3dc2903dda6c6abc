import { createHash } from 'node:crypto';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

// The page that holds its trace in itself, as one file: dist/viewer.html, into which `acp-scope export` and
// the page put a trace. All of it is inline, so its script is named in its policy by its hash.

const HERE = fileURLToPath(new URL('.', import.meta.url));
const SRC = join(HERE, '..');

/** What stands in the place of modules that are of no use here, or weigh too much, by their path in `src/`. */
const IN_PLACE: readonly (readonly [RegExp, string])[] = [
  // They need an agent, or more than one trace, or have more room elsewhere.
  [
    /^ui\/((agent|connections|session|library|timing)\/View|checks\/asked\/Asked|compare\/traces\/Compared)\.svelte$/,
    'NotHere.svelte',
  ],
  [/^ui\/(composer\/Composer|terminal\/Terminal|waiting\/Waiting)\.svelte$/, 'NotHere.svelte'],
  [
    /^ui\/(runs\/SmallestTrace|compare\/Overview|checks\/found\/(Together|OpenEdition)|rail\/(Rail|RailStrip)|connections\/ConnectionPanel)\.svelte$/,
    'Nothing.svelte',
  ],
  [
    /^ui\/(conversation\/PromptBox|connections\/SignIn|parts\/forms\/AskButtons)\.svelte$/,
    'Nothing.svelte',
  ],
  // They tell what comes, and what is kept: here nothing is.
  [/^ui\/shell\/(Announcer|Banners|Kept)\.svelte$/, 'Nothing.svelte'],
  // What would open a second trace, or be stored.
  [
    /^ui\/(shell\/(?:FileDrop|Importing)|sharing\/ImportedDialog|session\/RunHint|timeline\/(ExampleBar|ConversationBeside)|parts\/(NoTrace|forms\/Saved))\.svelte$/,
    'Nothing.svelte',
  ],
  [/^ui\/shell\/Palette\.svelte$/, 'NoPalette.svelte'],
  [/^ui\/session\/NoSession\.svelte$/, 'NoSession.svelte'],
  [/^ui\/parts\/Lazy\.svelte$/, 'Lazy.svelte'],
  [/^acp\/schema\/field-doc\.ts$/, 'field-doc.ts'],
  // Calls of the engine that nothing here makes.
  [
    /^engine\/(runs\/(runs|minimiser)|diff\/diffs|restore\/api-restore|performance\/performance)\.ts$/,
    'no-calls.ts',
  ],
  [
    /^engine\/(connections\/host-calls|timeline\/session-hub|library\/(viewer-page|trace-finds))\.ts$/,
    'no-calls.ts',
  ],
  [/^engine\/(connections\/leader|library\/looking)\.ts$/, 'no-tabs.ts'],
  [/^(trace\/import\/(sniff|archive|zip)|model\/(import-report|senders))\.ts$/, 'own-format.ts'],
  [/^(model\/facts\/capability-use|engine\/findings\/own-editions)\.ts$/, 'no-calls.ts'],
  [
    /^(model\/kept-index|storage\/(block-bytes|crc32)|engine\/(storage-watch|traces\/(block-cache|first-screen|packed)))\.ts$/,
    'no-index.ts',
  ],
  [/^drive\/(client|scenario\/file\/read|intercept\/(read|table))\.ts$/, 'no-calls.ts'],
  [
    /^engine\/(connections\/(api-connections|asks|driving|link-session|relay-calls)|traces\/(live|writer))\.ts$/,
    'no-link.ts',
  ],
  [
    /^state\/(connections\/(composer|connection)|conversation\/attachments|library)\.svelte\.ts$/,
    'no-composer.ts',
  ],
  // What begins a run, a comparison or a restore.
  [/^state\/diff\/diff-ways\.ts$/, 'no-diff.ts'],
  [/^state\/(restore\/open|runs\/open|saved-texts\.svelte|draft)\.ts$/, 'no-composer.ts'],
  [/^state\/(runs\/test|example)\.svelte\.ts$/, 'no-calls.ts'],
  [/^state\/wall-clock\.svelte\.ts$/, 'one-trace.ts'],
  [/^state\/runs\/run-words\.ts$/, 'no-calls.ts'],
  [
    /^(state\/(session\/chip-names|compare\/compare-map)|model\/replay\/trace-order|model\/restore\/cursor-candidates|model\/fidelity\/(refusal|decided-by|turns-apart|report\/around)|model\/restore\/reconnect|model\/facts\/(waiting|terminals|intercept)|engine\/traces\/(sharing|beginnings)|ui\/(rail\/keys|parts\/forms\/answer-keys))\.ts$/,
    'one-trace.ts',
  ],
  [/^(ui\/(runs\/save-scenario|timeline\/row-elsewhere)|storage\/problem)\.ts$/, 'no-calls.ts'],
];

/** Resolves what is left out to what stands in its place. */
function leftOut(): Plugin {
  return {
    name: 'left-out',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!importer || !/^\.{1,2}\/.*\.(svelte|ts)$/.test(source)) return undefined;
      const from = importer.replace(/\?.*$/, '');
      if (from.startsWith(HERE)) return undefined;
      const path = relative(SRC, join(dirname(from), source)).replaceAll('\\', '/');
      const found = IN_PLACE.find(([left]) => left.test(path));
      return found && join(HERE, found[1]);
    },
  };
}

const LATER = /\bimport\(\s*(["'`])(\.{1,2}\/[^"'`]+)\1\s*\)/g;

/**
 * What is loaded later elsewhere is here from the start, since all is in one file: modules that may be asked for
 * one by one would each be wrapped in a function.
 */
function allAtOnce(): Plugin {
  return {
    name: 'all-at-once',
    enforce: 'post',
    transform(code, id) {
      if (id.includes('/node_modules/')) return undefined;
      const imports: string[] = [];
      const changed = code.replace(LATER, (_, quote: string, source: string) => {
        const name = `later${imports.length}`;
        imports.push(`import * as ${name} from ${quote}${source}${quote};`);
        return `Promise.resolve(${name})`;
      });
      return imports.length > 0 ? { code: imports.join('') + changed, map: null } : undefined;
    },
  };
}

/** The schema's words are not here, and neither are their numbers. */
function withoutDocs(): Plugin {
  return {
    name: 'without-docs',
    transform(code, id) {
      const [, shapes] = /^export const shapes = (\{.*\});?\s*$/s.exec(code) ?? [];
      if (shapes === undefined || !/shapes-v\d\.js$/.test(id)) return undefined;
      const bare: object = JSON.parse(shapes, (key, value: unknown) =>
        key === 'doc' && typeof value === 'number' ? undefined : value,
      );
      return {
        code: `export const shapes = ${JSON.stringify({ ...bare, about: {} })};`,
        map: null,
      };
    },
  };
}

/** Of the reader of Markdown what cuts it into tokens: what makes HTML of them stands behind that. */
function lexerAlone(): Plugin {
  return {
    name: 'lexer-alone',
    transform(code, id) {
      if (!id.includes('/node_modules/marked/')) return undefined;
      const behind = code.search(/var \w+=class\{options;parser;constructor/);
      const [, lexer] = /[{,](\w+) as Lexer[,}]/.exec(code) ?? [];
      if (behind < 0 || !lexer) throw new Error('marked is built in another way than it was.');
      return { code: `${code.slice(0, behind)}export{${lexer} as Lexer};`, map: null };
    },
  };
}

/** A short name for each component's styles. */
function shortHash(): (component: { readonly filename: string }) => string {
  const names = new Map<string, string>();
  return ({ filename }) => {
    const name = names.get(filename) ?? `s${names.size.toString(36)}`;
    names.set(filename, name);
    return name;
  };
}

/** Script and style inside the document, and nothing else beside it. */
function oneFile(): Plugin {
  return {
    name: 'one-file',
    generateBundle: {
      // When all others are done with what they write.
      order: 'post',
      handler(_, bundle) {
        let script = '';
        let style = '';
        for (const [name, made] of Object.entries(bundle)) {
          if (made.type === 'chunk') script += made.code;
          else if (name.endsWith('.css')) style += String(made.source);
          delete bundle[name];
        }
        const source = documentOf(script, style);
        this.emitFile({ type: 'asset', fileName: 'viewer.html', source });
      },
    },
  };
}

function documentOf(script: string, style: string): string {
  // Neither may end its element, nor begin a comment in it.
  const inline = script.replace(/<(?=\/script|!--|script)/gi, '\\x3c');
  const hash = createHash('sha256').update(inline).digest('base64');
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    'media-src data: blob:',
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types svelte-trusted-html acp-scope-worker',
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>ACP Scope</title>
<style>${style}</style>
<style>body{display:flex;flex-direction:column}#app{flex:1;min-height:0}</style>
</head>
<body>
<div id="bar"></div>
<div id="app"></div>
<!--trace-->
<script>${inline}</script>
</body>
</html>
`;
}

export default defineConfig({
  logLevel: 'error',
  publicDir: false,
  plugins: [
    leftOut(),
    withoutDocs(),
    lexerAlone(),
    svelte({ compilerOptions: { cssHash: shortHash() } }),
    allAtOnce(),
    oneFile(),
  ],
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: false,
    cssCodeSplit: false,
    modulePreload: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: join(SRC, 'viewer/viewer.ts'),
      output: { format: 'iife', codeSplitting: false },
    },
  },
});
