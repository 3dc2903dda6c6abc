// The editor of the composer: CodeMirror with JSON, completion, hover and warnings. Loaded when the
// composer is first shown; nothing else imports it.
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { lintKeymap, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap, placeholder, tooltips } from '@codemirror/view';
import { complete, hover, type AssistContext } from './assist.ts';
import type { Diagnosis } from './diagnose.ts';
import { colours, theme } from './theme.ts';

export interface EditorOptions {
  readonly parent: HTMLElement;
  readonly text: string;
  readonly label: string;
  context(): AssistContext;
  onedit(text: string): void;
  onsend(): void;
}

export interface Editor {
  /** Replaces the text as one step that can be undone. */
  put(text: string): void;
  /** JSON has a language; a raw line has none. */
  setRaw(raw: boolean): void;
  tell(diagnoses: readonly Diagnosis[]): void;
  select(from: number, to: number): void;
  focus(): void;
  destroy(): void;
}

export function createEditor(options: EditorOptions): Editor {
  const language = new Compartment();
  const jsonParts = [
    json(),
    syntaxHighlighting(colours),
    bracketMatching(),
    closeBrackets(),
    hoverTooltip((view, position) => hover(view, position, options.context()), { hoverTime: 300 }),
    autocompletion({
      override: [(editor) => complete(editor, options.context())],
      icons: false,
      activateOnTypingDelay: 50,
    }),
  ];
  const view = new EditorView({
    parent: options.parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        language.of(jsonParts),
        history(),
        indentUnit.of('  '),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': options.label, tabindex: '0' }),
        placeholder('Pick a template, or type a message'),
        tooltips({ parent: document.body }),
        theme,
        // Tab leaves the editor, as everywhere on the page: no indentWithTab.
        keymap.of([
          {
            key: 'Mod-Enter',
            run: () => {
              options.onsend();
              return true;
            },
          },
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...lintKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.onedit(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    put(text) {
      if (view.state.doc.toString() === text) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    setRaw(raw) {
      view.dispatch({ effects: language.reconfigure(raw ? [] : jsonParts) });
    },
    tell(diagnoses) {
      const length = view.state.doc.length;
      const kept = diagnoses.filter(({ to }) => to <= length);
      view.dispatch(setDiagnostics(view.state, [...kept]));
    },
    select(from, to) {
      const length = view.state.doc.length;
      view.dispatch({
        selection: { anchor: Math.min(from, length), head: Math.min(to, length) },
        scrollIntoView: true,
      });
      view.focus();
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}
