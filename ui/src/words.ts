import type { Severity } from '../../src/core/model/severity.ts';
import { formatCount } from '../../src/core/record/numbers.ts';
import { briefly, h } from './dom.ts';

const signs: Record<Severity, string> = { error: '✗', warning: '!', remark: '·' };

/** A severity as mark and word, or as a mark alone with the word for those who do not see it. */
export function severityMark(severity: Severity, withWord = false): HTMLElement {
  return withWord
    ? h('span', { class: `mark ${severity}` }, h('span', { class: 'sign', 'aria-hidden': 'true' }, signs[severity]), severity)
    : h('span', { class: `mark ${severity} alone`, role: 'img', 'aria-label': severity, title: severity }, signs[severity]);
}

/** How many findings of each severity there are, as marks with their count. */
export function severityMarks(marks: Readonly<Record<Severity, number>>): HTMLElement {
  const found = (['error', 'warning', 'remark'] as const).filter((severity) => marks[severity] > 0);
  return h(
    'span',
    { class: 'marks' },
    found.map((severity) => {
      const count = marks[severity];
      const label = `${formatCount(count)} ${severity}${count === 1 ? '' : 's'}`;
      return h(
        'span',
        { class: `mark ${severity} alone`, role: 'img', 'aria-label': label, title: label },
        `${signs[severity]}${count === 1 ? '' : count > 99 ? '99+' : count}`,
      );
    }),
  );
}

/** A button that puts a text on the clipboard and says so. */
export function copyButton(text: string, what: string): HTMLElement {
  const button = h('button', { type: 'button', class: 'quiet', 'aria-label': `Copy ${what}`, onclick: () => void copy() }, 'Copy');
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

/** A code with a link to the page that explains it, where there is one. Only pages on the web are linked to. */
export function codeLink(code: string, url: string | undefined): HTMLElement {
  if (url === undefined || !url.startsWith('https://')) return h('code', {}, briefly(code));
  return h(
    'a',
    { href: url, target: '_blank', rel: 'noopener noreferrer', class: 'explain', title: `What ${code} means, on the web` },
    h('code', {}, briefly(code)),
    h('span', { 'aria-hidden': 'true' }, ' ↗'),
    h('span', { class: 'unseen' }, ' explained (opens a page on the web)'),
  );
}
