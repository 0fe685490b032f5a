import fc from 'fast-check';
import { withoutLayers } from './content-layers.ts';
import { latin, operations } from './content-tokens.ts';

const ops = (text: string): string[] => {
  const bytes = Buffer.from(text, 'latin1');
  return [...operations(bytes)].map((op) => latin(bytes, op.start, op.end));
};

describe('operations of a content stream', () => {
  it('are split at their end, whatever their operands hold', () => {
    expect(
      ops(
        'q 1 0 0 1 0 0 cm\n(a \\) (nested) Q) Tj[(x)-20<6162>]TJ/OC/MC0 BDC<</A[1 2]/B<</C(>>)>>>>BDC% Q comment\nEMC',
      ),
    ).toEqual([
      'q',
      '1 0 0 1 0 0 cm',
      '(a \\) (nested) Q) Tj',
      '[(x)-20<6162>]TJ',
      '/OC/MC0 BDC',
      '<</A[1 2]/B<</C(>>)>>>>BDC',
      'EMC',
    ]);
  });

  it('treat an inline image as one operation, even if its data looks like its end', () => {
    const image = 'BI /W 2 /H 1 /BPC 8 /CS /RGB ID \x01 EI\xff\xfe\x00 EI';
    expect(ops(`q ${image} Q`)).toEqual(['q', image, 'Q']);
  });

  it('are never lost, end on any bytes, and stay in order', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        let at = 0;
        for (const op of operations(bytes)) {
          expect(op.start).toBeGreaterThanOrEqual(at);
          expect(op.end).toBeGreaterThan(op.start);
          expect(op.end).toBeLessThanOrEqual(bytes.length);
          at = op.end;
        }
      }),
      { numRuns: 500 },
    );
  });

  it('pass the layer filter unchanged if there are no layers', () => {
    const operation = fc.constantFrom(
      'q',
      'Q',
      '1 0 0 rg',
      '0 0 5 5 re',
      'f',
      'BT',
      'ET',
      '(a(b)c) Tj',
      '/F1 12 Tf',
      '/X Do',
      'n',
    );
    fc.assert(
      fc.property(fc.array(operation), (list) => {
        const out = withoutLayers(Buffer.from(list.join(' ')), () => 'none');
        expect(ops(Buffer.from(out).toString('latin1'))).toEqual(list);
      }),
    );
  });

  it('draw nothing from a hidden layer, and keep the marks balanced', () => {
    const painted = fc.constantFrom(
      '0 0 5 5 re f',
      '0 0 m 5 5 l S',
      '/X Do',
      '/Sh sh',
      'BT (SECRET) Tj ET',
      'BI /W 1 ID x EI',
      '/Span BMC f EMC',
      '/OC /On BDC B EMC',
    );
    fc.assert(
      fc.property(fc.array(painted, { minLength: 1 }), (list) => {
        const text = `/OC /Off BDC ${list.join(' ')} EMC (seen) Tj`;
        const out = Buffer.from(
          withoutLayers(Buffer.from(text), (name) => (name === 'Off' ? 'hidden' : 'shown')),
        ).toString();
        expect(out).not.toMatch(/SECRET|\bDo\b|\bsh\b|\bEI\b|\bf\b|\bS\b|\bB\b|BDC|BMC|EMC/);
        expect(out).toContain('(seen) Tj');
      }),
    );
  });
});
