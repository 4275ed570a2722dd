/** Pieces of Markdown pages. */
import { wrap } from '../../src/core/divergences/wrap.ts';

const lineWidth = 120;

export const wrapped = (text: string): string => wrap(text, lineWidth).join('\n');

export const code = (text: string): string => `\`${text}\``;

export const fence = (language: string, text: string): string => `\`\`\`${language}\n${text.replace(/\n$/, '')}\n\`\`\``;

/** A bar inside a cell would end it. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', '<br>');

export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows.map((row) => row.map(cell))].map((row) => `| ${row.join(' | ')} |`).join('\n');
