import { readFile } from 'node:fs/promises';
import { visionRoutes } from '@karaar/contracts/vision/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { unreadableImage } from './validation.errors.ts';
import { toAnswer } from './validation.presenter.ts';
import { validatePhoto } from './validation.service.ts';

/** The browser calls this before it accepts a captured photo (spec §7). */
export function validationRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, visionRoutes.validate, async ({ form, signal }) => {
    const [image] = form.files.image;
    if (!image) throw unreadableImage();
    const file = await readFile(image.path);
    const verdict = await validatePhoto(ctx, {
      file,
      detectType: form.fields.detect_type,
      likeness: false,
      signal,
    });
    if (verdict.reason === 'not_an_image') throw unreadableImage();
    return toAnswer(verdict);
  });
}
