import { LineCounter, parseAllDocuments, type Document, type Node, type YAMLError } from './yaml.ts';
import type { Problem } from './problem.ts';

export interface YamlText {
  readonly document: Document.Parsed | undefined;
  readonly problems: readonly Problem[];
  /** Line and column, from 1, of a node. */
  readonly placeOf: (node: Node | null | undefined) => { readonly line: number; readonly column: number };
}

/** Reads the text of one YAML 1.2 document and keeps the places. Faults of the syntax come back as problems. */
export function readYaml(text: string): YamlText {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true, version: '1.2', schema: 'core' });
  const documents = Array.isArray(parsed) ? (parsed as Document.Parsed[]) : [];
  const at = (offset: number): { line: number; column: number } => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problems = documents.flatMap((document) => syntaxProblems(document, text, at));
  const second = documents[1];
  if (second !== undefined) {
    problems.push({ ...at(second.range[0]), pointer: '', message: 'expected one document, found another', fix: 'remove the line ---' });
  }
  return { document: documents[0], problems, placeOf: (node) => at(node?.range?.[0] ?? 0) };
}

type At = (offset: number) => { line: number; column: number };

function syntaxProblems(document: Document.Parsed, text: string, at: At): Problem[] {
  const isEcho = (error: YAMLError): boolean =>
    error.code === 'MULTILINE_IMPLICIT_KEY' &&
    document.errors.some((other) => other.code === 'BLOCK_IN_FLOW' && other.pos[0] === error.pos[0]);
  const found = [...document.errors, ...document.warnings].filter((error) => !isEcho(error)).map((error) => syntaxProblem(error, text, at));
  if (document.directives.yaml.version === '1.1') {
    found.push({
      line: 1,
      column: 1,
      pointer: '',
      message: 'expected YAML 1.2, found the directive %YAML 1.1',
      fix: 'remove the directive',
    });
  }
  const open = document.errors.findIndex((error) => quoteLeftOpen(error) !== undefined);
  // A quote left open swallows the text behind it, so what is found there says nothing. Of one line the first problem is enough.
  const lines = new Set<number>();
  return found.slice(0, open < 0 ? found.length : open + 1).filter((each) => (lines.has(each.line) ? false : lines.add(each.line)));
}

/** What the parser's codes mean to a person. https://eemeli.org/yaml/#errors */
const syntax: Readonly<Record<string, { readonly message: string; readonly fix?: string }>> = {
  TAB_AS_INDENT: { message: 'a tab indents this line', fix: 'indent with blanks' },
  DUPLICATE_KEY: { message: 'this key stands here twice', fix: 'keep one of them' },
  BAD_INDENT: { message: 'this line is not indented as the lines it belongs to, or a bracket above is not closed' },
  MISSING_CHAR: { message: 'a quote, colon, comma or bracket is missing here or before' },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'a mapping inside one line',
    fix: 'quote the value if it holds ": ", or put the keys on lines of their own',
  },
  BLOCK_IN_FLOW: { message: 'a block, or a lone - , inside brackets', fix: 'put a lone - in quotes' },
  MULTILINE_IMPLICIT_KEY: { message: 'this key goes over several lines' },
  BAD_SCALAR_START: { message: 'a plain value cannot begin with this character', fix: 'put the value in quotes' },
  BAD_ALIAS: { message: 'this alias is wrong', fix: 'put the value in quotes if it begins with *' },
  TAG_RESOLVE_FAILED: { message: 'tags are not used here', fix: 'remove the tag, or put the value in quotes if it begins with !' },
  BAD_DQ_ESCAPE: { message: 'this backslash sequence does not exist in double quotes', fix: 'use single quotes, or write \\\\' },
  UNEXPECTED_TOKEN: { message: 'this does not belong here' },
};

function syntaxProblem(error: YAMLError, text: string, at: At): Problem {
  const place = at(openingQuote(text, error));
  const known = syntax[error.code];
  const message = `not valid YAML: ${known?.message ?? error.code.toLowerCase().replaceAll('_', ' ')}`;
  return { ...place, pointer: '', message, ...(known?.fix === undefined ? {} : { fix: known.fix }) };
}

/** The parser reports an unclosed quote where the text ends; people look for where it begins. */
function openingQuote(text: string, error: YAMLError): number {
  const quote = quoteLeftOpen(error);
  if (quote === undefined) return error.pos[0];
  const opened = [...text.slice(0, error.pos[0]).matchAll(/(^|[\s[{,:])(["'])/g)].filter((match) => match[2] === quote).at(-1);
  return opened === undefined ? error.pos[0] : opened.index + (opened[1]?.length ?? 0);
}

function quoteLeftOpen(error: YAMLError): string | undefined {
  return error.code === 'MISSING_CHAR' ? /closing (["'])/.exec(error.message)?.[1] : undefined;
}
