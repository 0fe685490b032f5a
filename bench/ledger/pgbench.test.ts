import { throughputOf } from './pgbench.ts';

const summary = (failed: string) => `transaction type: transfer.sql
number of transactions actually processed: 3678
number of failed transactions: ${failed}
latency average = 8.155 ms
initial connection time = 61.420 ms
tps = 1226.290518 (without initial connection time)
`;

describe('throughputOf', () => {
  it("reads pgbench's summary, and rejects one with failures or without a figure", () => {
    expect(throughputOf(summary('0 (0.000%)'))).toBe(1226.290518);
    expect(() => throughputOf(summary('12 (0.326%)'))).toThrow('12 failed transactions');
    expect(() => throughputOf('pgbench: error: connection refused')).toThrow('no figure');
  });
});
