// The editor of a scenario: CodeMirror with JSON, completion from the table of fields, and the problems
// where they stand. Loaded when a scenario is first edited.
import { syntaxTree } from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import { EditorView, lineNumbers } from '@codemirror/view';
import type { TextProblem, ScenarioWords } from '../../engine/runs/scenario-messages.ts';
import {
  jsonEditor,
  jsonLanguage,
  putText,
  type JsonEditorOptions,
} from '../parts/forms/json-editor.ts';
import { completeScenario } from './complete.ts';
import { treeSpan } from './span-of.ts';

interface ScenarioEditorOptions extends JsonEditorOptions {
  words(): ScenarioWords | undefined;
}

interface ScenarioEditor {
  put(text: string): void;
  tell(problems: readonly TextProblem[], severity: 'error' | 'warning'): void;
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

export function createScenarioEditor(
  parent: HTMLElement,
  options: ScenarioEditorOptions,
): ScenarioEditor {
  const view = jsonEditor(parent, 'Scenario', options, [
    jsonLanguage((editor) => completeScenario(editor, options.words())),
    lineNumbers(),
    numbers,
  ]);
  const lineAt = (line: number) => view.state.doc.line(Math.min(line, view.state.doc.lines));
  return {
    put: (text) => putText(view, text),
    tell(problems, severity) {
      const tree = syntaxTree(view.state);
      const doc = view.state.doc.toString();
      const diagnostics = problems.map(({ line, pointer, message }) => {
        const { from, to, text } = lineAt(line);
        const indent = text.length - text.trimStart().length;
        const span = treeSpan(tree, doc, pointer) ?? { from: from + indent, to };
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
