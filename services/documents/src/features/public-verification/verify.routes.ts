import { verifyRoutes as routes } from '@karaar/contracts/documents/verify';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { presentVerification } from './verify.presenter.ts';
import { verifyByCode, verifyFile } from './verify.service.ts';

export function verifyRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.verify, async ({ form }) => {
    const [file] = form.files.file;
    if (!file) throw new Error('the contract requires a file');
    return presentVerification(await verifyFile(ctx, file));
  });

  mountRoute(app, routes.verifyCode, async ({ params }) =>
    presentVerification(await verifyByCode(ctx, params.code)),
  );
}
