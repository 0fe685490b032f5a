import { documentsRoutes as routes, type WorkItem } from '@karaar/contracts/documents/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { listWork } from './work.service.ts';
import type { Work } from './work.ts';

const UNKNOWN_USER = 'Unknown User';

export function workRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.work, async ({ principal }) => {
    const { mine, others } = await listWork(ctx, principal.userId);
    return { mine: mine.map(presentWork), others: others.map(presentWork) };
  });
}

const presentWork = ({ kind, document, people, answerBy }: Work): WorkItem => ({
  kind,
  document_id: document.id,
  name: document.name,
  people: people.map(({ user_id, name }) => ({ user_id, name: name ?? UNKNOWN_USER })),
  ...(answerBy ? { answer_by: answerBy } : {}),
});
