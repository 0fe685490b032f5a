import { toneOf } from './history-tone.ts';

describe('toneOf', () => {
  it('marks approval, rejection and the seal; the rest is plain', () => {
    expect(toneOf('party.accepted')).toBe('verified');
    expect(toneOf('party.requested')).toBe('neutral');
    expect(toneOf('party.rejected')).toBe('rejected');
    expect(toneOf('document.finalized')).toBe('sealed');
    expect(toneOf('party.invited')).toBe('neutral');
    expect(toneOf('something.new')).toBe('neutral');
  });
});
