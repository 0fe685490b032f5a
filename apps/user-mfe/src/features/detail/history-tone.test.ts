import { toneOf } from './history-tone.ts';

describe('toneOf', () => {
  it('marks approval, waiting, rejection and the seal; the rest is plain', () => {
    expect(toneOf('party.accepted')).toBe('verified');
    expect(toneOf('party.requested')).toBe('waiting');
    expect(toneOf('party.rejected')).toBe('rejected');
    expect(toneOf('document.finalized')).toBe('sealed');
    expect(toneOf('party.invited')).toBe('neutral');
    expect(toneOf('something.new')).toBe('neutral');
  });
});
