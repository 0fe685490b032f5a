import { ApiError, call, toastText } from '@karaar/api-client';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import {
  Button,
  ErrorState,
  Facts,
  formatDateTime,
  money,
  Notice,
  Page,
  PageSkeleton,
  Sheet,
  Stack,
  TextField,
  toast,
} from '@karaar/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTitle } from '../../shared/useTitle.ts';
import { pricingTexts as texts } from './texts.ts';

const queryKey = ['pricing'];
/** Days for which the page reckons an example (spec §9). */
const EXAMPLE_DAYS = [1, 7, 30] as const;
/** The rate that applies until one is set. */
const DEFAULT_RATE = 1;

/** The daily rate; null while none is set (the read is then a 404). */
async function readPricing(signal: AbortSignal) {
  try {
    return await call(documentsRoutes.getPricing, {}, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** The daily rate, seen and changed. */
export default function Pricing() {
  useTitle(texts.title);
  const pricing = useQuery({ queryKey, queryFn: ({ signal }) => readPricing(signal) });
  if (pricing.isPending) return <PageSkeleton />;
  if (pricing.isError) {
    return (
      <ErrorState
        title={toastText(pricing.error, texts.fetchFailed)}
        onRetry={() => void pricing.refetch()}
        retrying={pricing.isFetching}
      />
    );
  }
  const rate = pricing.data?.daily_rate ?? DEFAULT_RATE;
  return (
    <Page title={texts.title} lead={texts.lead} narrow>
      {pricing.data === null && <Notice>{texts.notSet}</Notice>}
      <Sheet title={texts.current}>
        <Facts
          entries={[
            [texts.current, `${money(rate)} ${texts.perDay}`],
            [texts.changedBy, pricing.data?.updated_by_name],
            [texts.changedAt, formatDateTime(pricing.data?.updated_at)],
            [texts.setBy, pricing.data?.created_by_name],
          ]}
        />
      </Sheet>
      <Sheet title={texts.examples}>
        <Facts entries={EXAMPLE_DAYS.map((days) => [texts.days(days), money(rate * days)] as const)} />
      </Sheet>
      <RateForm exists={pricing.data !== null} />
    </Page>
  );
}

function RateForm({ exists }: { exists: boolean }) {
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const save = useMutation({
    mutationFn: (daily_rate: number) =>
      call(exists ? documentsRoutes.updatePricing : documentsRoutes.createPricing, { body: { daily_rate } }),
    onSuccess: (pricing) => {
      queries.setQueryData(queryKey, pricing);
      setTyped('');
      toast.success(texts.saved);
    },
    onError: (error) => toast.error(toastText(error, texts.saveFailed)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const rate = Number(typed);
    if (typed.trim() === '' || !Number.isFinite(rate) || rate <= 0) return toast.error(texts.badRate);
    save.mutate(rate);
  };
  return (
    <Sheet title={texts.change} note={texts.changeNote}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextField
            label={texts.newRate}
            prefix="₹"
            type="number"
            inputMode="decimal"
            min={0.01}
            step={0.01}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <div>
            <Button type="submit" variant="primary" loading={save.isPending}>
              {texts.save}
            </Button>
          </div>
        </Stack>
      </form>
    </Sheet>
  );
}
