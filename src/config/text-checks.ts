/** Checks of single texts of the configuration. Each says what is expected, never what it found. */
import { catalogue, findKind, kindByCode } from '../core/divergences/catalogue.ts';
import type { DivergenceKind } from '../core/divergences/kind.ts';
import { retired } from '../core/divergences/retired.ts';
import { didYouMean } from './did-you-mean.ts';
import type { TextCheck } from './shape.ts';

export const notEmpty =
  (means: string): TextCheck =>
  (text) =>
    text.trim() === '' ? means : undefined;

/** Column names may hold anything but nothing. */
export const someName: TextCheck = (text) => (text === '' ? 'a name that is not empty' : undefined);

export const timezone: TextCheck = (text) => {
  const expected = 'an IANA time zone such as UTC or Europe/Lisbon';
  if (!/^[A-Za-z]/.test(text)) return expected;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return undefined;
  } catch {
    return expected;
  }
};

export const calendarDay: TextCheck = (text) => {
  const expected = 'a day written yyyy-MM-dd';
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return expected;
  const day = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text) ? `${expected} that exists` : undefined;
};

export const memorySize: TextCheck = (text) => (/^\d+(\.\d+)?\s*([KMGT]i?)?B$/i.test(text) ? undefined : 'a size such as 512MB or 2GB');

/** A code that was given out, and not one that only looks like it: what an entry hides must be a finding that can be. */
export const divergenceCode: TextCheck = (text) => {
  if (kindByCode(text) !== undefined) return undefined;
  const old = retired.find((entry) => entry.code === text);
  if (old !== undefined) return `a divergence code that is not retired (${old.insteadOf})`;
  const near = nearKinds(text).map((kind) => `${kind.code} ${kind.name}`);
  return `a divergence code (near it: ${near.join(', ')})`;
};

/** The kind whose name was written, else the three whose codes are nearest. */
function nearKinds(text: string): readonly DivergenceKind[] {
  const named =
    findKind(text) ??
    findKind(
      didYouMean(
        text,
        catalogue.map((kind) => kind.name),
      ) ?? '',
    );
  if (named !== undefined) return [named];
  const number = Number(/\d{1,6}/.exec(text)?.[0] ?? 101);
  const distance = (kind: DivergenceKind): number => Math.abs(Number(kind.code.slice(2)) - number);
  return catalogue.toSorted((a, b) => distance(a) - distance(b)).slice(0, 3);
}

const codePoints = (text: string): number => [...text].length;

/** The words that stand for a tab, which shells and editors make awkward to write. */
export const tabWords: readonly string[] = ['\\t', 'tab'];

/** A separator of fields. */
export const fieldSeparator: TextCheck = (text) =>
  tabWords.includes(text) || /^[\t\x20-\x7e]$/.test(text) ? undefined : 'one ASCII character, or tab';

export const quoteCharacter: TextCheck = (text) =>
  text === '' || /^[\x20-\x7e]$/.test(text) ? undefined : 'one ASCII character, or nothing for no quotes';

/** A mark inside numbers can be no digit, sign or letter. */
export const numberMark: TextCheck = (text) =>
  codePoints(text) === 1 && !/[\p{L}\p{Nd}+\-\r\n\0]/u.test(text) ? undefined : 'one character that is no digit, sign or letter';

const epochs = ['epoch_s', 'epoch_ms', 'epoch_us'];
/** Letters that the coercions know; a test holds the two together. */
export const formatLetters = 'yuMLdEHhamsSXxZ';

const wordFormats: readonly string[] = ['iso', ...epochs];

/** A date or time format in the letters of Java's DateTimeFormatter, `iso`, or an epoch. */
export const dateFormat: TextCheck = (text) => {
  if (wordFormats.includes(text)) return undefined;
  const slip = formatSlips.find((each) => each.when.test(text));
  if (slip !== undefined) return slip.expected;
  const letters = outsideQuotes(text);
  if (letters === undefined) return 'a format whose quotes are closed';
  if (!balanced(letters)) return 'a format whose square brackets are closed';
  const unknown = [...letters].find((letter) => /[A-Za-z]/.test(letter) && !formatLetters.includes(letter));
  if (unknown !== undefined) return `${javaLetters} (the letter ${unknown} is not among ${formatLetters}; put texts in single quotes)`;
  return /[A-Za-z]/.test(letters) ? undefined : `${javaLetters}, or one of ${wordFormats.join(', ')}`;
};

const javaLetters = "a format in Java's letters such as dd/MM/yyyy HH:mm";

const formatSlips: readonly { readonly when: RegExp; readonly expected: string }[] = [
  { when: /%[A-Za-z]/, expected: `${javaLetters} (strptime codes are not used: %d/%m/%Y is dd/MM/yyyy)` },
  { when: /^(epoch|unix|timestamp|epoch_ns|epoch_seconds|epoch_millis)$/i, expected: `one of ${epochs.join(', ')} for epochs` },
  { when: /^iso[-_ ]?8601$/i, expected: 'iso for the built-in grammar' },
  { when: /Y/, expected: `${javaLetters} (Y is the year of a week: write y)` },
  { when: /D/, expected: `${javaLetters} (D is the day of the year: write d)` },
];

/** The text without its quoted literals, or undefined when a quote is left open. */
function outsideQuotes(text: string): string | undefined {
  const parts = text.split("'");
  return parts.length % 2 === 0 ? undefined : parts.filter((_, i) => i % 2 === 0).join('');
}

function balanced(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === '[') depth += 1;
    if (char === ']') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
