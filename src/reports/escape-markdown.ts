import { visible } from './visible.ts';

const entity = (character: string) => `&#${character.charCodeAt(0)};`;

/**
 * A text from data for any place in GitHub-flavoured Markdown, also inside a table cell. Characters that could start markup become numeric
 * entities: they are shown as they are and never read as markup, whatever stands around them. An underscore within a word starts nothing and stays.
 */
export function escapeMarkdown(text: string): string {
  return visible(text)
    .replace(/[&<>|\\`*~[\]#@$]/g, entity)
    .replace(/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, entity)
    .replace(/:(?=\/\/)|(?<=www)\./gi, entity)
    .replace(/^(?:[-+](?= |$)|\d+(?=[.)] )|-{3,}$)/, (start) => [...start].map(entity).join(''));
}

/** The same as code: in `<code>`, since a code span cannot hold every text. Blanks at the ends are kept. */
export function codeMarkdown(text: string): string {
  const escaped = escapeMarkdown(text).replace(/^ | $|(?<= ) /g, '&nbsp;');
  return `<code>${escaped === '' ? '&nbsp;' : escaped}</code>`;
}
