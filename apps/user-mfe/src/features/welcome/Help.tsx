import { useTexts } from '@karaar/i18n';
import { Page, Sheet, Stack } from '@karaar/ui';
import { Link } from 'react-router';
import { useTitle } from '../../shared/useTitle.ts';
import { MoreLinks } from './MoreLinks.tsx';
import { welcomeTexts } from './texts.ts';
import css from './welcome.module.css';

const QUESTIONS = [
  ['askCode', 'askCodeText'],
  ['askCamera', 'askCameraText'],
  ['askReject', 'askRejectText'],
  ['askMoney', 'askMoneyText'],
  ['askDelete', 'askDeleteText'],
] as const;

/** Answers for people who cannot sign in, or are asked to sign something. */
export default function Help() {
  const t = useTexts(welcomeTexts);
  useTitle(t('help'));
  return (
    <Page title={t('help')} lead={t('helpLead')} narrow>
      <Stack gap={2}>
        {QUESTIONS.map(([question, answer]) => (
          <Sheet key={question} title={t(question)}>
            <p className={css.text}>{t(answer)}</p>
            {question === 'askCamera' && <Link to="/camera">{t('tryCamera')}</Link>}
          </Sheet>
        ))}
        <MoreLinks />
      </Stack>
    </Page>
  );
}
