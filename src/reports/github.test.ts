import { describe, expect, it } from 'vitest';
import { inert } from './github.ts';

describe('text for the log of a step', () => {
  it.each([
    ['::error::x', ':\\u003aerror::x'],
    ['  \t::add-mask::x', '  \t:\\u003aadd-mask::x'],
    ['a\n::stop-commands::x', 'a\n:\\u003astop-commands::x'],
    ['##[error]x', '#\\u0023[error]x'],
    ['a ##[group]b ##[endgroup]', 'a #\\u0023[group]b #\\u0023[endgroup]'],
    ['a::b', 'a::b'],
    ['# [x]', '# [x]'],
  ])('%j holds no command as %j', (text, shown) => {
    expect(inert(text)).toBe(shown);
  });

  it('means the same as JSON', () => {
    const document = { a: '##[error]x', '##[b]': ['::c::'] };
    expect(JSON.parse(inert(JSON.stringify(document, null, 2)))).toEqual(document);
  });
});
