// The editor of the composer: CodeMirror with JSON, completion, hover and warnings. Loaded when the
// composer is first shown; nothing else imports it.
import { setDiagnostics } from '@codemirror/lint';
import { Compartment } from '@codemirror/state';
import { hoverTooltip, keymap, placeholder } from '@codemirror/view';
import {
  jsonEditor,
  jsonLanguage,
  putText,
  type JsonEditorOptions,
} from '../parts/forms/json-editor.ts';
import { complete, hover, type AssistContext } from './assist.ts';
import type { Diagnosis } from './diagnose.ts';

interface EditorOptions extends JsonEditorOptions {
  context(): AssistContext;
  onsend(): void;
}

interface Editor {
  put(text: string): void;
  /** JSON has a language; a raw line has none. */
  setRaw(raw: boolean): void;
  tell(diagnoses: readonly Diagnosis[]): void;
  select(from: number, to: number): void;
  focus(): void;
  destroy(): void;
}

export function createEditor(parent: HTMLElement, options: EditorOptions): Editor {
  const language = new Compartment();
  const inJson = [
    jsonLanguage((editor) => complete(editor, options.context())),
    hoverTooltip((view, position) => hover(view, position, options.context()), { hoverTime: 300 }),
  ];
  const send = (): boolean => {
    options.onsend();
    return true;
  };
  const view = jsonEditor(parent, 'Message to send', options, [
    language.of(inJson),
    placeholder('Pick a template, or type a message'),
    keymap.of([{ key: 'Mod-Enter', run: send }]),
  ]);
  return {
    put: (text) => putText(view, text),
    setRaw(raw) {
      view.dispatch({ effects: language.reconfigure(raw ? [] : inJson) });
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
