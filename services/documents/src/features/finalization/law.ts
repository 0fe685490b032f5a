import { LAW, type LawWords } from '@karaar/contracts/cms/law';
import { cmsRpc } from '@karaar/contracts/cms/rpc';
import type { Context } from '../../context.ts';

/** Returns the operator's words about the law; ours if cms does not answer, so that sealing does not wait. */
export async function currentLaw(ctx: Pick<Context, 'bus' | 'logger'>): Promise<LawWords> {
  try {
    const { law } = await ctx.bus.request(cmsRpc.law, {});
    return law;
  } catch (err) {
    ctx.logger.warn({ err }, 'cms did not give the words about the law; the certificate shows the default');
    return LAW;
  }
}
