// What the editors of JSON have in common: CodeMirror in the page's own look, with completion and room for
// problems. Loaded when an editor is first shown.
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type CompletionSource,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  HighlightStyle,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, tooltips } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export interface JsonEditorOptions {
  readonly text: string;
  onedit(text: string): void;
}

/** `more` comes first: its keys before those of every editor. */
export function jsonEditor(
  parent: HTMLElement,
  label: string,
  { text, onedit }: JsonEditorOptions,
  more: Extension,
): EditorView {
  const extensions = [
    more,
    history(),
    indentUnit.of('  '),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    tooltips({ parent: document.body }),
    theme,
    // Tab leaves the editor, as everywhere on the page: no indentWithTab.
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...lintKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onedit(update.state.doc.toString());
    }),
  ];
  return new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
}

/** JSON as a language, completed from this. */
export function jsonLanguage(complete: CompletionSource): Extension {
  return [
    json(),
    syntaxHighlighting(colours),
    bracketMatching(),
    closeBrackets(),
    autocompletion({ override: [complete], icons: false, activateOnTypingDelay: 50 }),
  ];
}

/** Replaces the text as one step that can be undone. */
export function putText(view: EditorView, text: string): void {
  if (view.state.doc.toString() === text) return;
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--ink-2)' },
  { tag: tags.string, color: 'var(--ink)' },
  { tag: [tags.number, tags.bool], color: 'var(--accent)' },
  { tag: tags.null, color: 'var(--ink-3)', fontStyle: 'italic' },
  { tag: tags.punctuation, color: 'var(--ink-3)' },
  { tag: tags.invalid, color: 'var(--error)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--panel)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    fontSize: '12px',
    lineHeight: '18px',
    overflow: 'auto',
  },
  '.cm-content': { padding: '6px 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 12px' },
  '.cm-placeholder': { color: 'var(--ink-3)', fontFamily: 'var(--sans)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground, ::selection': {
    backgroundColor: 'var(--sel)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'transparent',
    outline: '1px solid var(--line-2)',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--warn)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--error)',
    textUnderlineOffset: '3px',
  },
  '.cm-tooltip': {
    color: 'var(--ink)',
    backgroundColor: 'var(--panel)',
    border: '1px solid var(--line-2)',
    borderRadius: 'var(--r2)',
    boxShadow: 'var(--raise)',
    fontSize: '12px',
    zIndex: '30',
  },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '240px' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px', lineHeight: '18px' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--sel)',
    color: 'var(--ink)',
  },
  '.cm-completionDetail': {
    color: 'var(--ink-3)',
    fontStyle: 'normal',
    fontFamily: 'var(--sans)',
    marginLeft: '12px',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionInfo, .cm-tooltip .field-words': { padding: '6px 10px', maxWidth: '360px' },
  '.cm-completionInfo .field-words': { padding: '0' },
  '.field-words > p + p': { marginTop: '4px', color: 'var(--ink-2)' },
  '.cm-diagnostic': { padding: '4px 10px', borderLeft: '3px solid var(--warn)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--error)' },
});
