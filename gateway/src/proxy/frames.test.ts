import fc from 'fast-check';
import { FrameBoundaries, restartFrame, textFrame } from './frames.ts';

const HEAD = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n';

/** A frame of a server. */
function frame(opcode: number, length: number, isFinal = true): Buffer {
  const first = (isFinal ? 0x80 : 0) | opcode;
  if (length < 126) return Buffer.concat([Buffer.from([first, length]), Buffer.alloc(length, 0x81)]);
  const header = length < 65_536 ? Buffer.alloc(4) : Buffer.alloc(10);
  header[0] = first;
  header[1] = length < 65_536 ? 126 : 127;
  if (length < 65_536) header.writeUInt16BE(length, 2);
  else header.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([header, Buffer.alloc(length, 0x81)]);
}

/** Messages of one or several fragments, with control frames between, and where each message ends. */
const messages = fc.array(
  fc.record({
    lengths: fc.array(fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 65_000, max: 66_000 })), {
      minLength: 1,
      maxLength: 3,
    }),
    pings: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);

it('finds the ends of messages and no other place, however the bytes are cut', () => {
  fc.assert(
    fc.property(messages, fc.integer({ min: 7, max: 3_000 }), (list, cut) => {
      const parts: Buffer[] = [Buffer.from(HEAD)];
      const ends = new Set<number>([HEAD.length]);
      let length = HEAD.length;
      for (const { lengths, pings } of list) {
        lengths.forEach((size, at) => {
          const part = frame(at === 0 ? 1 : 0, size, at === lengths.length - 1);
          parts.push(part);
          length += part.length;
          if (pings && at < lengths.length - 1) {
            const ping = frame(9, 3);
            parts.push(ping);
            length += ping.length;
          }
        });
        ends.add(length);
      }
      const bytes = Buffer.concat(parts);
      const boundaries = new FrameBoundaries();
      const sorted = [...ends].sort((a, b) => a - b);
      for (let at = 0; at < bytes.length; at += cut) {
        const chunk = bytes.subarray(at, at + cut);
        const until = at + chunk.length;
        const first = sorted.find((end) => end >= at && end <= until && (end > at || at > 0));
        const place = boundaries.feed(chunk);
        const told = place === -1 ? undefined : at + place;
        // Not by `expect`: it would be asked a million times.
        if (told !== first || boundaries.atBoundary !== ends.has(until))
          throw new Error(`of ${at} to ${until}: ${told} in place of ${first}`);
      }
    }),
    { numRuns: 40 },
  );
});

it('makes frames as a server sends them', () => {
  expect(textFrame('42').toString('hex')).toBe('81023432');
  expect(restartFrame().toString('hex')).toBe('880203f4');
});
