/** When two column names are the same, and when they nearly are. */

const outerBlanks = /^[\s\u0085]+|[\s\u0085]+$/gu;

/** The name in Unicode normalisation form C: two names are the same when their keys are. */
export function nameKey(name: string): string {
  return name.normalize('NFC');
}

/**
 * The name without outer white space (ASCII and Unicode) and without regard to case: two names are variants when their keys are equal.
 *
 * Case folding goes character by character, so that a final sigma is a sigma and ß is ss, in no one's locale;
 * the Turkish dotless ı stays apart from i, as in Unicode's CaseFolding.txt.
 */
export function foldKey(name: string): string {
  const bare = nameKey(name).replace(outerBlanks, '');
  return [...bare].map(foldCharacter).join('').normalize('NFC');
}

function foldCharacter(character: string): string {
  return character === 'ı' ? character : character.toLowerCase().toUpperCase().toLowerCase();
}

/** Whether a name has no visible character: such a column has a position only. */
export function isBlank(name: string): boolean {
  return foldKey(name) === '';
}
