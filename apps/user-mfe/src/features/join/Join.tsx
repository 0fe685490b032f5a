import { answerText, ApiError, call, toastText } from '@karaar/api-client';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, CodeText, Notice, Page, Row, Sheet, Stack, toast, userName } from '@karaar/ui';
import { CodeField, codeOnly } from '@karaar/ui/fields';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { documentKeys } from '../../shared/queries.ts';
import { useCompleteProfile } from '../../shared/useCompleteProfile.ts';
import { useTitle } from '../../shared/useTitle.ts';
import { imagesOf, originsOf, type CompleteVerification } from '../verification/verification.ts';
import { VerificationDialog } from '../verification/VerificationDialog.tsx';
import css from './join.module.css';
import { exampleCodes, joinTexts } from './texts.ts';

/** Joining by code: the code, then the verification, then the wait for the creator's approval. */
export default function Join() {
  const t = useTexts(joinTexts);
  useTitle(t('title'));
  const profile = useCompleteProfile();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [search] = useSearchParams();
  const [code, setCode] = useState(() => codeOnly(search.get('code') ?? ''));
  const [verifying, setVerifying] = useState(false);
  const [progress, setProgress] = useState<number>();
  const key = useRef(crypto.randomUUID());

  const join = useMutation({
    mutationFn: (verification: CompleteVerification) =>
      call(
        documentsRoutes.join,
        {
          fields: { document_code: code, ...originsOf(verification) },
          files: imagesOf(verification),
        },
        { onProgress: setProgress, idempotencyKey: key.current },
      ),
    onSuccess: async ({ message }) => {
      toast.success(answerText(message, t('joined')));
      await queries.invalidateQueries({ queryKey: documentKeys.all });
      void navigate('/dashboard');
    },
    onError: (error) => {
      // After an answer the next press is another attempt; without one it repeats this attempt.
      if (error instanceof ApiError && error.status !== 0) key.current = crypto.randomUUID();
      if (!profile.refused(error)) toast.error(toastText(error, t('joinFailed')));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!profile.isComplete()) return;
    if (!code) return toast.error(t('codeMissing'));
    setVerifying(true);
  };

  return (
    <Page title={t('title')} lead={t('lead')} narrow>
      <Sheet>
        <form onSubmit={submit} noValidate>
          <Stack gap={2.5}>
            <CodeField label={t('code')} hint={t('codeHint')} value={code} onChange={setCode} />
            <Button type="submit" variant="primary" wide>
              {t('submit')}
            </Button>
          </Stack>
        </form>
      </Sheet>
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
            {t('orCreate')} <Link to="/document/create">{t('create')}</Link>
          </p>
        </Stack>
      </Sheet>
      {verifying && (
        <VerificationDialog
          purpose="join"
          notice={<CodeFound code={code} />}
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

/** What the code leads to, or why it leads nowhere: told before anybody stands before the camera. */
function CodeFound({ code }: { code: string }) {
  const t = useTexts(joinTexts);
  const found = useQuery({
    queryKey: ['documents', 'code', code],
    queryFn: ({ signal }) => call(documentsRoutes.lookUpCode, { body: { document_code: code } }, { signal }),
    // Each try with an unknown code counts as a guess.
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const { data, error } = found;
  if (data) {
    const creator = userName(data.primary_user_name);
    return <Notice>{t('joining', { name: data.name, creator })}</Notice>;
  }
  // Without an answer there is nothing to tell: joining itself asks again.
  if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) return null;
  return (
    <div role="alert">
      <Notice tone="rejected">{toastText(error, t('joinFailed'))}</Notice>
    </div>
  );
}
