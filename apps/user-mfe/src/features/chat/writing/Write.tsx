import type { ChatPerson } from '@karaar/contracts/messaging/http';
import { ATTACHMENT_MAX_BYTES, MESSAGE_MAX_CHARS } from '@karaar/contracts/limits';
import { useTexts } from '@karaar/i18n';
import { fileSize, IconButton, toast, userName } from '@karaar/ui';
import { Composer, FileCard } from '@karaar/ui/chat';
import { useState } from 'react';
import { useObjectUrl } from '../../../shared/useObjectUrl.ts';
import { chatTexts } from '../texts.ts';
import { useSayTyping } from '../useLive.ts';

const ACCEPT = 'image/*,.pdf,.doc,.docx';

/** Unsent drafts by person, kept until the page is closed. */
const drafts = new Map<string, string>();

type WriteProps = { person: ChatPerson; onSend: (content: string, file: File | null) => void };

/** The input for a message: a text, or a file with or without a text. */
export function Write({ person, onSend }: WriteProps) {
  const t = useTexts(chatTexts);
  const name = userName(person.name);
  const [text, setText] = useState(drafts.get(person.user_id) ?? '');
  const [file, setFile] = useState<File | null>(null);
  const picture = useObjectUrl(file?.type.startsWith('image/') ? file : null);
  const sayTyping = useSayTyping(person.user_id);
  const change = (next: string) => {
    setText(next);
    drafts.set(person.user_id, next);
    sayTyping(next.trim() !== '');
  };
  const attach = (chosen: File) => {
    if (chosen.size > ATTACHMENT_MAX_BYTES) {
      toast.error(t('fileTooLarge', { size: fileSize(ATTACHMENT_MAX_BYTES) }));
      return;
    }
    setFile(chosen);
  };
  return (
    <Composer
      label={t('messageTo', { name })}
      placeholder={t('writeHere')}
      value={text}
      onChange={change}
      limit={MESSAGE_MAX_CHARS}
      accept={ACCEPT}
      onAttach={attach}
      attached={
        file && (
          <FileCard
            name={file.name}
            size={file.size}
            src={picture}
            action={
              <IconButton
                icon="close"
                label={t('removeFile', { name: file.name })}
                onClick={() => setFile(null)}
              />
            }
          />
        )
      }
      onSend={() => {
        // A file without a text is sent with its name.
        onSend(text.trim() || (file?.name ?? ''), file);
        setFile(null);
        change('');
      }}
    />
  );
}
