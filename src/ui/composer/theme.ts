// The editors in the page's own look.
import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--ink-2)' },
  { tag: tags.string, color: 'var(--ink)' },
  { tag: [tags.number, tags.bool], color: 'var(--accent)' },
  { tag: tags.null, color: 'var(--ink-3)', fontStyle: 'italic' },
  { tag: tags.punctuation, color: 'var(--ink-3)' },
  { tag: tags.invalid, color: 'var(--error)' },
]);

export const theme = EditorView.theme({
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
