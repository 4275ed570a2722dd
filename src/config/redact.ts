/** Secrets out of addresses and lines, before anybody sees them. Rather too much goes than too little. */

const hidden = '***';
const secretWord = String.raw`[\w.-]*(?:password|passwd|passphrase|pwd|secret|token|credential|signature|apikey|key|sig|auth)[\w.-]*`;

const secretParameters: readonly RegExp[] = [
  // ?token=…, &password=…: up to the next & or blank
  new RegExp(String.raw`([?&]\s*${secretWord}\s*=)([^&\s]*)`, 'gi'),
  // ;token=…: up to the next semicolon; ODBC allows braces around a value
  new RegExp(String.raw`(;\s*${secretWord}\s*=)(\{[^}]*\}?|[^;]*)`, 'gi'),
  // host=x password='…' as libpq writes it, and the first parameter of a semicolon list
  new RegExp(String.raw`((?:^|\s)${secretWord}\s*=\s*)('(?:[^'\\]|\\.)*'?|[^;&\s]*)`, 'gi'),
];

/** The address without passwords, tokens and keys: `postgres://etl:***@db/sales`, `sc://h/;token=***`. */
export function redactUrl(url: string): string {
  return secretParameters.reduce((text, pattern) => text.replace(pattern, `$1${hidden}`), redactUserInfo(url));
}

const wellFormed = /^([a-z][a-z0-9+.-]*:\/\/[^:@/?#\s]*):[^@/?#]*(@[^@?#]*(?:\?(?:[^=&?#]+=[^&#]*&?)*)?(?:#.*)?)$/i;
const anyPassword = /([a-z][a-z0-9+.-]*:\/\/[^:@/?#\s]*):.*@/gi;

/** A password may hold `@`, `/`, `?` and `#` when nobody encoded it: then all up to the last `@` goes. */
function redactUserInfo(url: string): string {
  if (wellFormed.test(url)) return url.replace(wellFormed, `$1:${hidden}$2`);
  return url.replace(anyPassword, `$1:${hidden}@`);
}

const yamlSecret =
  /(["']?[\w.-]*(?:password|passwd|passphrase|pwd|secret|token|credential|(?:api|access|private)[_-]?key)[\w.-]*["']?\s*:\s+)\S.*/i;

/** One line of a configuration file, fit to be shown beside a message. */
export function redactLine(line: string): string {
  return redactUrl(line).replace(yamlSecret, `$1${hidden}`);
}
