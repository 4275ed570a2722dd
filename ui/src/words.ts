import type { Severity } from '../../src/core/model/severity.ts';
import { h } from './dom.ts';

const marks: Record<Severity, string> = { error: '✗', warning: '!', remark: '·' };

/** A severity as mark and word, or as a mark alone with the word for those who do not see it. */
export function severityMark(severity: Severity, withWord = false): HTMLElement {
  return withWord
    ? h('span', { class: `mark ${severity}` }, h('span', { class: 'sign', 'aria-hidden': 'true' }, marks[severity]), severity)
    : h('span', { class: `mark ${severity} alone`, role: 'img', 'aria-label': severity, title: severity }, marks[severity]);
}

/** A button that puts a text on the clipboard and says so. */
export function copyButton(text: string): HTMLElement {
  const button = h('button', { type: 'button', class: 'quiet', onclick: () => void copy() }, 'Copy');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not allowed here';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  };
  return button;
}
