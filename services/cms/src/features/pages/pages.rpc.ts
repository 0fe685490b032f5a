import { cmsRpc } from '@karaar/contracts/cms/rpc';
import type { Context } from '../../context.ts';
import { lawWords } from './law.ts';
import { lawPages } from './pages.service.ts';

export async function pagesRpc(ctx: Context): Promise<void> {
  await ctx.bus.serve(cmsRpc.law, async () => ({ law: lawWords(await lawPages(ctx)) }));
}
