import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eld } from 'eld/extrasmall';
import { checkableLanguages, isLanguageCode } from '../../domain/languages.ts';
import { isInLanguage } from './check-language.ts';

test('the languages that may be asked of a model are those that can be checked, and codes that users may have', () => {
  assert.deepEqual(checkableLanguages, Object.values(eld.info().Languages));
  assert.deepEqual(
    checkableLanguages.filter((code) => !isLanguageCode(code)),
    [],
  );
});

const samples: Record<string, string> = {
  de: 'Die Funktion zählt jetzt die Tage nach dem Kalender des Empfängers, sodass zugesagte Termine eingehalten werden.',
  en: 'The function now counts days on the calendar of the recipient, so that promised dates are kept.',
  es: 'La función cuenta ahora los días según el calendario del destinatario, de modo que se cumplen las fechas.',
  fr: 'La fonction compte désormais les jours selon le calendrier du destinataire, si bien que les dates sont tenues.',
  ja: 'この関数は受取人の暦で日数を数えるようになり、約束した日付が守られます。',
  ko: '이 함수는 이제 받는 사람의 달력으로 날짜를 세므로 약속한 날짜가 지켜집니다.',
  no: 'Funksjonen teller nå dager etter mottakerens kalender, slik at datoene som er lovet, blir holdt.',
  pt: 'A função agora conta os dias pelo calendário do destinatário, para que as datas prometidas sejam cumpridas.',
  ru: 'Теперь функция считает дни по календарю получателя, поэтому обещанные даты соблюдаются.',
  zh: '该函数现在按照收件人的日历计算天数，因此承诺的日期得以遵守。',
};

test('each of these languages is told from the others', async () => {
  const wrong: string[] = [];
  for (const [written, text] of Object.entries(samples)) {
    for (const asked of Object.keys(samples)) {
      if ((await isInLanguage([text], asked)) !== (asked === written)) wrong.push(`${written} as ${asked}`);
    }
  }
  assert.deepEqual(wrong, []);
});
