/** Who can have a wallet debited: every secret of every process, tried at the wallet's internal port. */
import { walletInternalRpc } from '@karaar/contracts/wallet/inner';
import { secretWords, type Environments } from './environment.ts';

const MAY_BE_SENT = /^[\x21-\x7e]+$/;
/** Let in, the answer to an empty request says what it lacks. */
const LET_IN = 422;

/**
 * Processes whose environment opens the wallet's internal port for a debit.
 *
 * @param walletPort its base URL
 */
export async function moversOfMoney(all: Environments, walletPort: string): Promise<string[]> {
  const { method, path } = walletInternalRpc.debit;
  const isLetIn = async (secret: string): Promise<boolean> => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    return (await fetch(`${walletPort}${path}`, { method, headers, body: '{}' })).status === LET_IN;
  };
  const movers: string[] = [];
  for (const [name, environment] of all) {
    const words = secretWords(environment).filter((word) => MAY_BE_SENT.test(word));
    if ((await Promise.all(words.map(isLetIn))).includes(true)) movers.push(name);
  }
  return movers;
}
