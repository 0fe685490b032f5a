import { markLines } from './markdown-tools.ts';

describe('markLines', () => {
  it('puts the mark before each line', () => {
    expect(markLines(['a', 'b'], 'list')).toEqual(['- a', '- b']);
    expect(markLines(['a', 'b', 'c'], 'numbers')).toEqual(['1. a', '2. b', '3. c']);
  });

  it('removes it if all lines have it', () => {
    expect(markLines(['> a', '> b'], 'quote')).toEqual(['a', 'b']);
    expect(markLines(['> a', 'b'], 'quote')).toEqual(['> a', '> b']);
  });

  it('replaces one mark by another', () => {
    expect(markLines(['- a', '* b'], 'numbers')).toEqual(['1. a', '2. b']);
    expect(markLines(['### Title'], 'heading')).toEqual(['## Title']);
    expect(markLines(['## Title'], 'heading')).toEqual(['Title']);
  });
});
