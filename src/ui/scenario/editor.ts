// The editor of a scenario: CodeMirror with JSON, completion from the table of fields, and the problems
// where they stand. Loaded when a scenario is first edited.
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, indentUnit, syntaxHighlighting, syntaxTree } from '@codemirror/language';
import { lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers, tooltips } from '@codemirror/view';
import type { ScenarioProblem, ScenarioWords } from '../../engine/runs/scenario-messages.ts';
import { colours, theme } from '../composer/theme.ts';
import { completeScenario } from './complete.ts';
import { spanOf } from './span-of.ts';

interface ScenarioEditorOptions {
  readonly parent: HTMLElement;
  readonly text: string;
  words(): ScenarioWords | undefined;
  onedit(text: string): void;
}

export interface ScenarioEditor {
  put(text: string): void;
  tell(problems: readonly ScenarioProblem[], severity: 'error' | 'warning'): void;
  /** Goes to this line, from 1. */
  show(line: number): void;
  destroy(): void;
}

const numbers = EditorView.theme({
  '.cm-gutters': {
    backgroundColor: 'var(--sunken)',
    color: 'var(--ink-3)',
    border: '0',
    borderRight: '1px solid var(--line)',
  },
});

export function createScenarioEditor(options: ScenarioEditorOptions): ScenarioEditor {
  const view = new EditorView({
    parent: options.parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        json(),
        syntaxHighlighting(colours),
        lineNumbers(),
        bracketMatching(),
        closeBrackets(),
        autocompletion({
          override: [(editor) => completeScenario(editor, options.words())],
          icons: false,
          activateOnTypingDelay: 50,
        }),
        history(),
        indentUnit.of('  '),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': 'Scenario', tabindex: '0' }),
        tooltips({ parent: document.body }),
        theme,
        numbers,
        // Tab leaves the editor, as everywhere on the page: no indentWithTab.
        keymap.of([
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
  const lineAt = (line: number) => view.state.doc.line(Math.min(line, view.state.doc.lines));
  return {
    put(text) {
      if (view.state.doc.toString() === text) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    tell(problems, severity) {
      const tree = syntaxTree(view.state);
      const doc = view.state.doc.toString();
      const diagnostics = problems.map(({ line, pointer, message }) => {
        const { from, to, text } = lineAt(line);
        const indent = text.length - text.trimStart().length;
        const span = spanOf(tree, doc, pointer) ?? { from: from + indent, to };
        // Of a whole step, its first line.
        const end = Math.min(span.to, view.state.doc.lineAt(span.from).to);
        return { from: span.from, to: end, severity, message };
      });
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    show(line) {
      view.dispatch({ selection: { anchor: lineAt(line).from }, scrollIntoView: true });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}
