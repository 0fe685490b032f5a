import { serverClock, toastText } from '@karaar/api-client';
import { dayInIndia, hasPassed } from '@karaar/contracts/answer-by';
import { screen, useTexts } from '@karaar/i18n';
import {
  Button,
  formatDate,
  Icon,
  Banner,
  LoadBoundary,
  Sheet,
  shortMoney,
  TextButton,
  userName,
  type IconName,
} from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { Link } from 'react-router';
import { workQuery } from '../../shared/queries.ts';
import { dueQuery, topUpsQuery } from './due-query.ts';
import { dashboardTexts } from '../../shared/catalogs/dashboard/texts.ts';
import { walletTexts } from '../wallet/texts.ts';
import { useAdmit } from './useAdmit.ts';
import { actionOf, iconOf, linkOf, sentenceOf, withMoney, type Item } from './work.ts';
import css from './worklist.module.css';

/** The checkout: loaded only for users with an unfinished top-up. */
const FinishTopUp = screen(
  () => import(/* webpackChunkName: "paying" */ '../wallet/FinishTopUp.tsx'),
  [walletTexts],
);

/** The number of items shown at first; a press shows the rest. */
const FIRST = { mine: 5, others: 3 } as const;

/** The user's tasks, each with a button; then the tasks of others, and whom they wait for. */
export function Worklist() {
  const t = useTexts(dashboardTexts);
  const work = useQuery(workQuery);
  const due = useQuery(dueQuery);
  const topUps = useQuery(topUpsQuery);
  if (work.isError) return <Banner tone="rejected">{toastText(work.error, t('workFailed'))}</Banner>;
  if (!work.data) return null;
  const { others } = work.data;
  const mine = withMoney(work.data.mine, due.data ?? [], topUps.data?.top_ups ?? []);
  const fault = due.error ?? topUps.error;
  return (
    <>
      {fault && <Banner tone="rejected">{toastText(fault, t('workFailed'))}</Banner>}
      {mine.length > 0 ? (
        <Sheet title={t('needsYou')} flush>
          <WorkRows items={mine} first={FIRST.mine} />
        </Sheet>
      ) : (
        others.length > 0 && (
          <p className={css.done} role="status">
            <Icon name="check" size={18} />
            <span>{t('caughtUp')}</span>
          </p>
        )
      )}
      {others.length > 0 && (
        <Sheet title={t('waitingForOthers')} flush>
          <WorkRows items={others} first={FIRST.others} />
        </Sheet>
      )}
    </>
  );
}

function WorkRows({ items, first }: { items: readonly Item[]; first: number }) {
  const t = useTexts(dashboardTexts);
  const [all, setAll] = useState(false);
  const shown = all ? items : items.slice(0, first);
  return (
    <>
      <ul className={css.rows}>
        {shown.map((item, index) => (
          <WorkRow
            key={[item.kind, item.document_id, ...item.people.map((each) => each.user_id)].join()}
            item={item}
            isNext={index === 0}
          />
        ))}
      </ul>
      {shown.length < items.length && (
        <div className={css.more}>
          <TextButton onClick={() => setAll(true)}>{t('showMore', { count: items.length })}</TextButton>
        </div>
      )}
    </>
  );
}

const isPast = (day: string): boolean => hasPassed(day, dayInIndia(serverClock.date()));

/** A sentence, its document, and the button; tasks of others have no button. */
function WorkRow({ item, isNext }: { item: Item; isNext: boolean }) {
  const t = useTexts(dashboardTexts);
  const admit = useAdmit();
  // The name is unknown until an invitation by phone or e-mail is accepted.
  const people = item.people.map(({ name }) => userName(name)).join(', ') || t('invitee');
  const action = actionOf(item.kind);
  const icon: IconName = iconOf(item.kind);
  // One primary action per view: the first.
  const variant = isNext ? 'primary' : 'secondary';
  return (
    <li className={css.row} data-kind={item.kind} data-mine={action ? true : undefined}>
      <span className={css.icon}>
        <Icon name={icon} />
      </span>
      <div className={css.text}>
        <span className={css.sentence}>
          {t(sentenceOf(item.kind), { people, amount: shortMoney(item.amount ?? 0) })}
        </span>
        {item.answer_by && (
          <span className={css.answerBy} data-passed={isPast(item.answer_by) || undefined}>
            {t(isPast(item.answer_by) ? 'answerByPassed' : 'answerBy', { day: formatDate(item.answer_by) })}
          </span>
        )}
        {item.kind === 'admission' ? (
          <span className={css.document}>{item.name}</span>
        ) : (
          <Link className={css.document} to={linkOf(item)}>
            {item.name}
          </Link>
        )}
      </div>
      {action && item.kind === 'admit' && (
        <Button
          compact
          variant={variant}
          loading={admit.isPending}
          aria-label={t('admitTo', { people, name: item.name })}
          onClick={() => admit.mutate({ id: item.document_id, userId: item.people[0]?.user_id ?? '' })}
        >
          {t(action)}
        </Button>
      )}
      {action && item.topUp && item.kind === 'unfinished' && (
        <LoadBoundary>
          <Suspense>
            <FinishTopUp topUp={item.topUp} variant={variant} label={t(action)} name={item.name} />
          </Suspense>
        </LoadBoundary>
      )}
      {action && item.kind !== 'admit' && item.kind !== 'unfinished' && (
        <Button
          as={Link}
          to={linkOf(item)}
          compact
          variant={variant}
          aria-label={`${t(action)}: ${item.name}`}
        >
          {t(action)}
        </Button>
      )}
    </li>
  );
}
