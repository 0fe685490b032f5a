import { authRoutes as routes } from '@karaar/contracts/auth/http';
import { csvAnswer } from '@karaar/base/csv';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import {
  auditLine,
  AUDIT_COLUMNS,
  presentAudit,
  presentAdminUser,
  presentCounts,
  userLine,
  USER_COLUMNS,
} from './admins.presenter.ts';
import { auditPage, exportAudit } from './audit/audit.service.ts';
import { countAllUsers, exportUsers, listUsersForAdmin } from './users/users.service.ts';

export function adminListsRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.adminUsers, async ({ query, reply }) => {
    const { items, nextCursor } = await listUsersForAdmin(ctx, query);
    if (nextCursor) reply.header('x-next-cursor', nextCursor);
    return items.map(presentAdminUser);
  });
  mountRoute(app, routes.adminUsersPage, async ({ query }) => {
    const { items, nextCursor } = await listUsersForAdmin(ctx, query);
    return { items: items.map(presentAdminUser), next_cursor: nextCursor };
  });
  mountRoute(app, routes.adminUsersExport, async ({ principal, query }) =>
    csvAnswer('users', USER_COLUMNS, await exportUsers(ctx, principal.userId, query), userLine),
  );
  mountRoute(app, routes.adminUserCounts, async ({ query }) =>
    presentCounts(await countAllUsers(ctx, query.days)),
  );

  mountRoute(app, routes.adminAudit, async ({ query }) => {
    const { items, nextCursor } = await auditPage(ctx, query);
    return { items: items.map(presentAudit), next_cursor: nextCursor };
  });
  mountRoute(app, routes.adminAuditExport, async ({ principal, query }) =>
    csvAnswer('audit', AUDIT_COLUMNS, await exportAudit(ctx, principal.userId, query), auditLine),
  );
}
