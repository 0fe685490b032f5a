import { answerText, ApiError, call, toastText } from '@karaar/api-client';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, CodeText, Banner, Page, Row, Sheet, Stack, toast, userName } from '@karaar/ui';
import { CodeField, codeOnly } from '@karaar/ui/fields';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { documentKeys, workQuery } from '../../shared/queries.ts';
import { useCompleteProfile } from '../../shared/identity/useCompleteProfile.ts';
import { useTitle } from '../../shared/useTitle.ts';
import { imagesOf, originsOf, type CompleteVerification } from '../verification/verification.ts';
import { VerificationDialog } from '../verification/VerificationDialog.tsx';
import css from './join.module.css';
import { exampleCodes, joinTexts } from './texts.ts';

/** Joining by code: the code, the verification, then waiting for the creator's approval. */
export default function Join() {
  const t = useTexts(joinTexts);
  useTitle(t('title'));
  const profile = useCompleteProfile();
  const queries = useQueryClient();
  const [search] = useSearchParams();
  const [code, setCode] = useState(() => codeOnly(search.get('code') ?? ''));
  const [verifying, setVerifying] = useState(false);
  const [progress, setProgress] = useState<number>();
  /** The fault of a code, until another one is entered. */
  const [fault, setFault] = useState<{ code: string; text: string }>();
  const field = useRef<HTMLInputElement>(null);

  const join = useJoin(code, { onProgress: setProgress, isRefused: profile.refused });
  const lookUp = useMutation({
    mutationFn: () => queries.fetchQuery(lookUpQuery(code)),
    onSuccess: () => setVerifying(true),
    onError: (error) => {
      // The field shows a refusal. Without a response the code is unchecked: joining checks it again.
      if (!isRefusal(error)) return setVerifying(true);
      if (profile.refused(error)) return;
      const isParty = error instanceof ApiError && error.code === 'already_party';
      setFault({ code, text: isParty ? t('alreadyParty') : toastText(error, t('joinFailed')) });
      field.current?.focus();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!profile.isComplete() || lookUp.isPending) return;
    if (code) return lookUp.mutate();
    setFault({ code, text: t('codeMissing') });
    field.current?.focus();
  };

  return (
    <Page title={t('title')} lead={t('lead')} narrow>
      <Sheet>
        <form onSubmit={submit} noValidate>
          <Stack gap={2.5}>
            <CodeField
              ref={field}
              label={t('code')}
              hint={t('codeHint')}
              error={fault?.code === code ? fault.text : undefined}
              value={code}
              onChange={setCode}
            />
            <Button type="submit" variant="primary" wide loading={lookUp.isPending}>
              {t('submit')}
            </Button>
          </Stack>
        </form>
      </Sheet>
      <Requests />
      <HowToJoin />
      {verifying && (
        <VerificationDialog
          purpose="join"
          banner={<CodeFound code={code} />}
          about={{ document_code: code }}
          sending={join.isPending}
          progress={progress}
          onCancel={() => setVerifying(false)}
          onComplete={(files) => join.mutate(files)}
        />
      )}
    </Page>
  );
}

/**
 * Asks to join, with the verification.
 * @param isRefused tells the user about a profile that is incomplete, if that is the reason
 */
function useJoin(
  code: string,
  { onProgress, isRefused }: { onProgress: (share: number) => void; isRefused: (error: unknown) => boolean },
) {
  const t = useTexts(joinTexts);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const key = useRef(crypto.randomUUID());
  return useMutation({
    mutationFn: (verification: CompleteVerification) =>
      call(
        documentsRoutes.join,
        {
          fields: { document_code: code, ...originsOf(verification) },
          files: imagesOf(verification),
        },
        { onProgress, idempotencyKey: key.current },
      ),
    onSuccess: async ({ message }) => {
      toast.success(answerText(message, t('joined')));
      await queries.invalidateQueries({ queryKey: documentKeys.all });
      void navigate('/dashboard');
    },
    onError: (error) => {
      // After a response the next press is a new attempt; without one it repeats this attempt.
      if (error instanceof ApiError && error.status !== 0) key.current = crypto.randomUUID();
      if (!isRefused(error)) toast.error(toastText(error, t('joinFailed')));
    },
  });
}

function HowToJoin() {
  const t = useTexts(joinTexts);
  return (
    <Sheet title={t('how')}>
      <Stack gap={2.5}>
        <ol className={css.steps}>
          {(['step1', 'step2', 'step3', 'step4'] as const).map((step) => (
            <li key={step}>{t(step)}</li>
          ))}
        </ol>
        <Stack gap={0.5}>
          <span className="k-muted k-small">{t('examples')}</span>
          <Row gap={2}>
            {exampleCodes.map((example) => (
              <CodeText key={example} code={example} label={t('code')} copy={false} />
            ))}
          </Row>
        </Stack>
        <p>
          <span>{`${t('orCreate')} `}</span>
          <Link to="/document/create">{t('create')}</Link>
        </p>
      </Stack>
    </Sheet>
  );
}

/** Looks up a code, on a press only: each unknown code counts as a guess. */
const lookUpQuery = (code: string) =>
  queryOptions({
    queryKey: ['documents', 'code', code],
    queryFn: ({ signal }) => call(documentsRoutes.lookUpCode, { body: { document_code: code } }, { signal }),
    retry: false,
    staleTime: Infinity,
  });

const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500;

function CodeFound({ code }: { code: string }) {
  const t = useTexts(joinTexts);
  const { data } = useQuery({ ...lookUpQuery(code), enabled: false });
  if (!data) return null;
  const creator = userName(data.primary_user_name);
  return <Banner>{t('joining', { name: data.name, creator })}</Banner>;
}

function Requests() {
  const t = useTexts(joinTexts);
  const work = useQuery(workQuery);
  const requests = work.data?.others.filter(({ kind }) => kind === 'admission') ?? [];
  if (requests.length === 0) return null;
  return (
    <Sheet title={t('requests')}>
      <ul className={css.requests}>
        {requests.map(({ document_id, name, people }) => (
          <li key={document_id}>
            <strong>{name}</strong>
            <span className="k-muted k-small">
              {t('requestWaits', { creator: userName(people[0]?.name) })}
            </span>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
