import type { Verification } from '@karaar/contracts/documents/verify';
import { useTexts } from '@karaar/i18n';
import { CodeText, Facts, formatDateTime, Icon, Seal, Sheet } from '@karaar/ui';
import { wordsOf, type Check } from './findings.ts';
import { verifyTexts } from './texts.ts';
import css from './verify.module.css';

/** The verdict in one sentence, then each check in plain words. */
export function Findings({ found, of }: { found: Verification; of: 'file' | 'code' }) {
  const t = useTexts(verifyTexts);
  const { valid, log } = found;
  // A file that Karaar never sealed is not a forgery, so no warning is shown.
  if (found.unsealed) return <Unsealed />;
  const [title, lead] = !valid
    ? (['forged', 'forgedLead'] as const)
    : of === 'file'
      ? (['genuine', 'genuineLead'] as const)
      : (['genuineCode', 'genuineCodeLead'] as const);
  const [seen] = log?.cosigned ?? [];
  return (
    <>
      <Sheet>
        <div className={css.verdict} data-valid={valid} role="status">
          <span className={css.mark}>{valid ? <Seal size={88} /> : <Icon name="alert" size={56} />}</span>
          <div>
            <h2>{t(title)}</h2>
            <p className="k-muted">{t(lead)}</p>
          </div>
        </div>
        {valid && (
          <Facts
            entries={[
              [t('code'), found.document_code && <CodeText code={found.document_code} label={t('code')} />],
              [t('sealedAt'), formatDateTime(found.sealed_at)],
              [t('sealedBy'), found.sealed_by],
              [t('place'), log && t('placeValue', { index: log.leaf_index, size: log.tree_size })],
              [t('seenBy'), seen && `${seen.witness}, ${formatDateTime(seen.time)}`],
              [t('hash'), <span className={css.hash}>{found.sha256}</span>],
            ]}
          />
        )}
      </Sheet>
      <Sheet title={t('checks')}>
        <ul className={css.checks}>
          {found.checks.map((check) => (
            <CheckLine key={check.name} check={check} found={found} />
          ))}
        </ul>
      </Sheet>
    </>
  );
}

function Unsealed() {
  const t = useTexts(verifyTexts);
  return (
    <Sheet>
      <div className={css.verdict} role="status">
        <span className={css.mark} data-neutral>
          <Icon name="info" size={56} />
        </span>
        <div>
          <h2>{t('unsealed')}</h2>
          <p className="k-muted">{t('unsealedLead')}</p>
        </div>
      </div>
    </Sheet>
  );
}

function CheckLine({ check, found }: { check: Check; found: Verification }) {
  const t = useTexts(verifyTexts);
  const { title, finding } = wordsOf(check, found.own_authority);
  const time = formatDateTime(found.timestamp?.time);
  const text = finding === 'timestampOk' ? t(finding, { time }) : t(finding);
  return (
    <li data-ok={check.ok}>
      <span className={css.tick}>
        <Icon name={check.ok ? 'tick' : 'close'} size={16} />
        <span className={css.spoken}>{t(check.ok ? 'ok' : 'bad')}</span>
      </span>
      <div>
        <b>{t(title)}</b>
        <p className="k-muted">{text}</p>
      </div>
    </li>
  );
}
