import { call, toastText, type Input } from '@karaar/api-client';
import { authRoutes, type AdminUser } from '@karaar/contracts/auth/http';
import { useTexts } from '@karaar/i18n';
import { Badge, Button, CodeText, formatDate, toast, userName } from '@karaar/ui';
import type { Column } from '@karaar/ui/tables';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ListScreen } from '../../shared/ListScreen.tsx';
import { ADMIN_KEY } from '../../shared/queries.ts';
import { ReasonDialog } from '../../shared/ReasonDialog.tsx';
import css from '../../shared/shared.module.css';
import { useFilters } from '../../shared/useFilters.ts';
import { usersTexts } from './texts.ts';

const KEYS = ['search', 'status', 'from', 'to', 'sort'] as const;
/** The address may contain invalid values; the service checks them. */
type Query = NonNullable<Input<typeof authRoutes.adminUsersPage>['query']>;

/** All users with an account. */
export default function Users() {
  const t = useTexts(usersTexts);
  const filters = useFilters(KEYS);
  const [selected, setSelected] = useState<AdminUser | null>(null);
  const counts = useQuery({
    queryKey: [ADMIN_KEY, 'users', 'counts'],
    queryFn: ({ signal }) => call(authRoutes.adminUserCounts, {}, { signal }),
  });
  const counted = (value: 'active' | 'inactive') => ({
    value,
    label: t(value),
    ...(counts.data ? { count: counts.data[value] } : {}),
  });
  return (
    <ListScreen
      title={t('title')}
      lead={counts.data && t('lead', { count: counts.data.total, inactive: counts.data.inactive })}
      name="users"
      filters={filters}
      load={(query, signal) => call(authRoutes.adminUsersPage, { query: query as Query }, { signal })}
      download={(query) => call(authRoutes.adminUsersExport, { query: query as Query })}
      searchLabel={t('searchLabel')}
      choices={[{ key: 'status', label: t('state'), options: [counted('active'), counted('inactive')] }]}
      columns={useColumns(setSelected)}
      rowKey={({ user_id }) => user_id}
      failed={t('loadFailed')}
      empty={{ icon: 'people', title: t('emptyTitle'), text: t('emptyText') }}
    >
      {selected && <ChangeState user={selected} onClose={() => setSelected(null)} />}
    </ListScreen>
  );
}

function useColumns(ask: (user: AdminUser) => void): Column<AdminUser>[] {
  const t = useTexts(usersTexts);
  return [
    {
      key: 'name',
      header: t('name'),
      title: true,
      sortable: true,
      cell: (user) => (
        <span className={css.two}>
          <span>{userName(user.name)}</span>
          {!user.is_active && <Badge tone="rejected">{t('inactive')}</Badge>}
          {user.is_admin && <Badge tone="info">{t('admin')}</Badge>}
        </span>
      ),
    },
    { key: 'email', header: t('email'), cell: ({ email }) => email },
    {
      key: 'phone',
      header: t('phone'),
      cell: ({ phone_no }) => <span className="k-num k-nowrap">{phone_no}</span>,
    },
    {
      key: 'charId',
      header: t('charId'),
      cell: ({ char_id }) => <CodeText code={char_id} label={t('charId')} />,
    },
    {
      key: 'created',
      header: t('created'),
      sortable: true,
      cell: ({ created_at }) => <span className="k-num k-nowrap">{formatDate(created_at)}</span>,
    },
    {
      key: 'actions',
      header: t('actions'),
      actions: true,
      cell: (user) => (
        <div className={css.row}>
          <Button as={Link} to={`/admin/documents?search=${user.char_id}`} compact variant="quiet">
            {t('documentsOf')}
          </Button>
          <Button compact onClick={() => ask(user)}>
            {t(user.is_active ? 'deactivate' : 'reactivate')}
          </Button>
        </div>
      ),
    },
  ];
}

function ChangeState({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const t = useTexts(usersTexts);
  const queries = useQueryClient();
  const name = userName(user.name);
  const change = useMutation({
    mutationFn: (reason: string) =>
      call(user.is_active ? authRoutes.deactivateUser : authRoutes.reactivateUser, {
        params: { id: user.user_id },
        body: { reason },
      }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: [ADMIN_KEY, 'users'] });
      toast.success(t(user.is_active ? 'deactivated' : 'reactivated', { name }));
      onClose();
    },
    onError: (error) => toast.error(toastText(error, t('changeFailed'))),
  });
  return (
    <ReasonDialog
      title={t(user.is_active ? 'deactivateTitle' : 'reactivateTitle', { name })}
      text={t(user.is_active ? 'deactivateText' : 'reactivateText')}
      confirm={t(user.is_active ? 'deactivate' : 'reactivate')}
      reject={user.is_active}
      busy={change.isPending}
      onConfirm={(reason) => change.mutate(reason)}
      onClose={onClose}
    />
  );
}
