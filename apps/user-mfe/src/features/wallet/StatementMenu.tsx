import { call, toastText } from '@karaar/api-client';
import { walletRoutes } from '@karaar/contracts/wallet/http';
import { useLanguage, useTexts, type Language } from '@karaar/i18n';
import { Menu, saveFile, toast } from '@karaar/ui';
import { useMutation } from '@tanstack/react-query';
import { useUser } from '../../shared/useShell.ts';
import { period, type HistoryFilter } from './history.ts';
import { walletTexts } from './texts.ts';

type Kind = { format: 'csv' } | { format: 'pdf'; language: Language };

/**
 * Downloads the statement of the displayed period, always with money in and out. The PDF is in the language
 * of the screen, with an English version for accounting.
 */
export function StatementMenu({ filter }: { filter: HistoryFilter }) {
  const t = useTexts(walletTexts);
  const language = useLanguage();
  const { char_id } = useUser();
  const fetchStatement = useMutation({
    mutationFn: (kind: Kind) => call(walletRoutes.statement, { query: { ...period(filter), ...kind } }),
    onSuccess: (file, { format }) => saveFile(file, `karaar-statement-${char_id}.${format}`),
    onError: (error) => toast.error(toastText(error, t('statementFailed'))),
  });
  const item = (label: string, icon: 'document' | 'list', kind: Kind) => ({
    label,
    icon,
    onChoose: () => fetchStatement.mutate(kind),
    disabled: fetchStatement.isPending,
  });
  return (
    <Menu
      label={t('statement')}
      text
      icon="download"
      items={[
        item(t('asPdf'), 'document', { format: 'pdf', language }),
        ...(language === 'en'
          ? []
          : [item(t('asPdfInEnglish'), 'document', { format: 'pdf', language: 'en' })]),
        item(t('asCsv'), 'list', { format: 'csv' }),
      ]}
    />
  );
}
