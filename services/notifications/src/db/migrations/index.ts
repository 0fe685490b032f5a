/** Every migration by its name, in the order of the names. */
import * as init from './20261125T0244Z-init.ts';
import * as answerBy from './20261125T1430Z-answer-by.ts';
import * as digests from './20261125T2230Z-digests.ts';
import * as digestsChecked from './20261125T2231Z-digests-checked.ts';

export const migrations = {
  '20261125T0244Z-init': init,
  '20261125T1430Z-answer-by': answerBy,
  '20261125T2230Z-digests': digests,
  '20261125T2231Z-digests-checked': digestsChecked,
};
