import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eld } from 'eld/extrasmall';
import { checkableLanguages, isLanguageCode } from '../../domain/languages.ts';
import { isInLanguage, isSentenceInLanguage } from './ask-model.ts';

test('`checkableLanguages` are the languages that the detector knows, and all are valid language codes', () => {
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

test('each of ten languages is distinguished from the other nine', async () => {
  const wrong: string[] = [];
  for (const [written, text] of Object.entries(samples)) {
    for (const asked of Object.keys(samples)) {
      if ((await isInLanguage([text], asked)) !== (asked === written)) wrong.push(`${written} as ${asked}`);
    }
  }
  assert.deepEqual(wrong, []);
});

/** Sentences about code at their shortest, with the loan words that developers use. */
const short: Record<string, string[]> = {
  ar: ['تتجاهل الدالة الآن المسافات في نهاية السطر.', 'يقبل المُنشئ كائن logger.'],
  de: ['Der Cache wird nach jedem Commit geleert.', 'Die Middleware prüft das Token vor jedem Request.'],
  el: ['Ο κατασκευαστής δέχεται πλέον ένα logger.'],
  en: ['Passwords are now stored in plain text.', 'The cache is emptied after every commit.'],
  es: [
    'El middleware comprueba el token antes de cada petición.',
    'Los callbacks reciben un segundo argumento.',
  ],
  fr: ['Le middleware vérifie le token avant chaque requête.', 'Le cache est vidé après chaque commit.'],
  he: ['הבנאי מקבל כעת אובייקט logger.'],
  hi: ['कंस्ट्रक्टर अब एक logger लेता है।'],
  it: [
    'Il middleware controlla il token prima di ogni richiesta.',
    'La cache viene svuotata dopo ogni commit.',
  ],
  ja: [
    'コミットごとにキャッシュを空にします。',
    '接続再試行時間の延長',
    'Node.js と TypeScript の API を更新します。',
  ],
  ko: ['커밋할 때마다 캐시를 비웁니다.', '생성자가 logger를 받습니다.'],
  nl: ['De middleware controleert het token voor elk request.', 'De cache wordt na elke commit geleegd.'],
  ru: ['Парсер теперь игнорирует пробелы в конце строки.', 'Конструктор принимает logger.'],
  th: ['คอนสตรักเตอร์รับ logger แล้ว'],
  uk: ['Парсер тепер ігнорує пробіли наприкінці рядка.'],
  zh: ['每次提交后清空缓存，并且解析器现在忽略行尾的空格。', '构造函数接受一个 logger。'],
};

test('a short sentence is recognized in each of 16 languages, and an English one is never taken for another', async () => {
  const wrong: string[] = [];
  for (const [asked, texts] of Object.entries(short)) {
    for (const text of texts) if (!(await isSentenceInLanguage(text, asked))) wrong.push(`${asked}: ${text}`);
    for (const text of asked === 'en' ? [] : (short.en ?? []))
      if (await isSentenceInLanguage(text, asked)) wrong.push(`${text} as ${asked}`);
  }
  assert.deepEqual(wrong, []);
});

test('a sentence in another script is recognized if short, and code and quotations are ignored', async () => {
  assert.equal(await isSentenceInLanguage('Wait a little more.', 'ja'), false);
  assert.equal(await isSentenceInLanguage('Конструктор принимает.', 'en'), false);
  assert.equal(await isSentenceInLanguage('解析器现在忽略行尾的空格并且返回结果。', 'ja'), false);
  assert.equal(await isSentenceInLanguage('コミットごとにキャッシュを空にします。', 'zh'), false);
  assert.equal(await isSentenceInLanguage('`wait a little more and then some`: 60', 'ja'), true);
  assert.equal(
    await isSentenceInLanguage('rin は「Passwords are now stored in plain text」と書いています。', 'ja'),
    true,
  );
  assert.equal(await isSentenceInLanguage('API 2.0', 'ja'), true);
});
