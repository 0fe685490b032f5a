import { useTexts } from '@karaar/i18n';
import { Stack, TextField } from '@karaar/ui';
import { CodeField, SegmentedControl } from '@karaar/ui/fields';
import { createTexts } from '../texts.ts';

export type InviteBy = 'id' | 'contact';

type InviteFieldsProps = {
  by: InviteBy;
  onBy: (by: InviteBy) => void;
  id: {
    label: string;
    hint?: string;
    error: string | undefined;
    value: string;
    onChange: (id: string) => void;
  };
  contact: { error: string | undefined; value: string; onChange: (contact: string) => void };
};

/**
 * The person to invite: a user ID, or a phone number or e-mail address of a person who may have no account.
 */
export function InviteFields({ by, onBy, id, contact }: InviteFieldsProps) {
  const t = useTexts(createTexts);
  return (
    <Stack gap={1.5}>
      <SegmentedControl
        label={t('inviteBy')}
        options={[
          { value: 'id', label: t('byId') },
          { value: 'contact', label: t('byContact') },
        ]}
        value={by}
        onChange={onBy}
      />
      {by === 'id' ? (
        <CodeField name="target_user_char_id" {...id} />
      ) : (
        <TextField
          label={t('contact')}
          hint={t('contactHint')}
          name="target_contact"
          autoComplete="off"
          spellCheck={false}
          maxLength={254}
          value={contact.value}
          error={contact.error}
          onChange={(event) => contact.onChange(event.target.value)}
        />
      )}
    </Stack>
  );
}
