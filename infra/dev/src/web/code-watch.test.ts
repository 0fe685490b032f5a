import { processesOf } from './code-watch.ts';

describe('processesOf', () => {
  it('returns the processes that run a file', () => {
    expect(processesOf('services/wallet/src/features/ledger/ledger.ts')).toEqual(['wallet']);
    expect(processesOf('gateway/src/app.ts')).toEqual(['gateway']);
    expect(processesOf('libs/testing/src/sandboxes/app.ts')).toEqual(['sandbox']);
    expect(processesOf('services/witness/src/app.ts')).toEqual(['witness']);
    expect(processesOf('services/broker-admin/src/app.ts')).toEqual(['broker-admin']);
    expect(processesOf('services/converter/src/app.ts')).toEqual(['converter']);
    expect(processesOf('libs/rendering/src/office/office.ts')).toEqual(['documents', 'converter']);
    expect(processesOf('libs/contracts/wallet/http.ts')).toContain('documents');
    expect(processesOf('libs/bus/src/bus/index.ts')).toHaveLength(12);
  });

  it('returns none for libraries of the browser and for helpers of tests', () => {
    expect(processesOf('libs/ui/src/icons/icons.ts')).toEqual([]);
    expect(processesOf('libs/testing/src/until.ts')).toEqual([]);
  });

  it('returns none for tests, build output and documents', () => {
    for (const path of [
      'src/a.test.ts',
      'test/boot.ts',
      'dist/main.ts',
      'README.md',
      'node_modules/x/a.ts',
    ]) {
      expect(processesOf(`services/wallet/${path}`)).toEqual([]);
    }
  });
});
