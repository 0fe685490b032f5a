import { FINALIZATION_STEPS } from '@karaar/contracts/documents/http';
import { faultKey, newer, STEPS, stepLabel } from './finalization.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

beforeAll(() => detailTexts.load());

const progress = (no: number) => ({ step: 'files' as const, done: 1, total: 3, percent: 15, no });

describe('the progress of a finalization', () => {
  it('has a name for every step, in the order of the job', () => {
    expect(STEPS.map(({ step }) => step)).toEqual([...FINALIZATION_STEPS]);
    expect(new Set(STEPS.map(({ name }) => detailTexts.say(name))).size).toBe(STEPS.length);
  });

  it('counts the file in progress, and never exceeds their number', () => {
    expect(stepLabel(progress(1))).toEqual({ key: 'stepFileOf', values: { number: 2, total: 3 } });
    expect(stepLabel({ ...progress(1), done: 3 })).toMatchObject({ values: { number: 3 } });
    expect(stepLabel({ ...progress(1), step: 'sealing' })).toEqual({ key: 'stepSealing' });
  });

  it('is the newest, whatever its source', () => {
    expect(newer(null, null)).toBeNull();
    expect(newer(progress(4), progress(3))?.no).toBe(4);
    expect(newer(progress(4), progress(5))?.no).toBe(5);
    expect(newer(progress(4), null)?.no).toBe(4);
  });
});

describe('why a finalization failed', () => {
  it('is a text by its code, with the name of the file', () => {
    const key = faultKey('office_broken');
    expect(key && detailTexts.say(key, { file: 'lease.docx' })).toContain('lease.docx');
    expect(faultKey('constructor')).toBeUndefined();
    expect(faultKey(null)).toBeUndefined();
  });
});
