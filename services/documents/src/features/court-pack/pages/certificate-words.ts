/**
 * The text of the certificate under section 63(4)(c), Bharatiya Sakshya Adhiniyam, 2023 (Act 47 of 2023),
 * after the two parts of its Schedule. The Schedule in the Gazette of India is authoritative, as the draft
 * says.
 */
export type CertificateWords = {
  draft: string;
  title: string;
  source: string;
  partA: string;
  party: readonly string[];
  partB: string;
  expert: readonly string[];
  open: string;
};

const EN_DEVICE =
  '{tick:Computer / Storage media} {tick:DVR} {tick:Mobile} {tick:Flash drive} {tick:CD/DVD} {tick:Server} {tick:Cloud} {tick:Other}: {open:24}';
const EN_DETAILS =
  'Make and model: {open:20} Colour: {open:12} Serial number: {open:20} IMEI/UIN/UID/MAC/Cloud ID: {open:24} (as applicable) and any other relevant information about the device or digital record: agreement {code}, “{name}”, sealed on {sealedAt}, kept at {keeper}. {open:30}';
const EN_CONTROL =
  'The digital device or the digital record source was under the lawful control for regularly creating, storing or processing information for the purposes of carrying out regular activities, and during this period the computer or the communication device was working properly and the relevant information was regularly fed into the computer during the ordinary course of business. If the computer or digital device at any point of time was not working properly or was out of operation, that has not affected the electronic or digital record or its accuracy. {tick:I can state this of my own knowledge}';
const EN_HASH =
  'I state that the HASH value of the electronic or digital record is {sha256}, obtained through the following algorithm: {tick:SHA1} {tick:SHA256} {tick:MD5} {tick:Other}: {open:20} (legally acceptable standard). The hash report is enclosed with this certificate.';
const EN_SIGN =
  'Name and signature: {open:40} Date (DD/MM/YYYY): {open:12} Time (IST): {open:8} hours (24-hour format) Place: {open:24}';

const HI_DEVICE =
  '{tick:कंप्यूटर / भंडारण माध्यम} {tick:डीवीआर} {tick:मोबाइल} {tick:फ़्लैश ड्राइव} {tick:सीडी/डीवीडी} {tick:सर्वर} {tick:क्लाउड} {tick:अन्य}: {open:24}';
const HI_DETAILS =
  'मेक और मॉडल: {open:20} रंग: {open:12} क्रम संख्या: {open:20} IMEI/UIN/UID/MAC/क्लाउड आईडी: {open:24} (जो लागू हो) तथा युक्ति या डिजिटल अभिलेख के बारे में अन्य सुसंगत जानकारी: करार {code}, “{name}”, मुहरबंद {sealedAt}, {keeper} पर रखा गया। {open:30}';
const HI_CONTROL =
  'डिजिटल युक्ति या डिजिटल अभिलेख का स्रोत नियमित क्रियाकलापों के प्रयोजनों के लिए जानकारी नियमित रूप से सृजित, भंडारित या संसाधित करने हेतु विधिपूर्ण नियंत्रण में था, और इस अवधि के दौरान कंप्यूटर या संचार युक्ति उचित रूप से कार्य कर रही थी तथा सुसंगत जानकारी कारबार के सामान्य अनुक्रम में नियमित रूप से कंप्यूटर में डाली गई थी। यदि कंप्यूटर या डिजिटल युक्ति किसी समय उचित रूप से कार्य नहीं कर रही थी या बंद थी, तो उससे इलेक्ट्रॉनिक या डिजिटल अभिलेख या उसकी यथार्थता प्रभावित नहीं हुई है। {tick:मैं यह अपनी जानकारी से कह सकता/सकती हूँ}';
const HI_HASH =
  'मैं कथन करता/करती हूँ कि इलेक्ट्रॉनिक या डिजिटल अभिलेख का हैश मान {sha256} है, जो निम्नलिखित एल्गोरिद्म से प्राप्त किया गया है: {tick:SHA1} {tick:SHA256} {tick:MD5} {tick:अन्य}: {open:20} (विधिक रूप से स्वीकार्य मानक)। हैश रिपोर्ट इस प्रमाणपत्र के साथ संलग्न है।';
const HI_SIGN =
  'नाम और हस्ताक्षर: {open:40} तारीख (दिन/माह/वर्ष): {open:12} समय (भारतीय मानक समय): {open:8} बजे (24 घंटे का प्रारूप) स्थान: {open:24}';

export const CERTIFICATE: Record<'en' | 'hi', CertificateWords> = {
  en: {
    draft:
      'Draft. Karaar has prepared it from its record; it is not legal advice and certifies nothing. Check its form against the Schedule to the Bharatiya Sakshya Adhiniyam, 2023, as published in the Gazette of India, before anyone signs it. Yellow fields and boxes are statements that only the person who signs can make: Karaar has left them open.',
    title: 'Certificate under section 63(4)(c)',
    source: 'The Schedule to the Bharatiya Sakshya Adhiniyam, 2023 (47 of 2023)',
    partA: 'Part A (to be filled in by the party)',
    party: [
      'I, {person}, son/daughter/spouse of {open:30}, residing/employed at {open:50}, do hereby solemnly affirm and sincerely state and submit as follows:',
      `I have produced the electronic record / output of the digital record taken from the following device or digital record source (tick what applies): ${EN_DEVICE}`,
      EN_DETAILS,
      EN_CONTROL,
      'The digital device or the source of the digital record is {tick:Owned} {tick:Maintained} {tick:Managed} {tick:Operated} by me (select as applicable).',
      EN_HASH,
      EN_SIGN,
    ],
    partB: 'Part B (to be filled in by the expert)',
    expert: [
      'I, {open:30}, son/daughter/spouse of {open:30}, residing/employed at {open:50}, do hereby solemnly affirm and sincerely state and submit as follows:',
      `The produced electronic record / output of the digital record is obtained from the following device or digital record source (tick what applies): ${EN_DEVICE}`,
      EN_DETAILS,
      EN_HASH,
      'Name, designation and signature: {open:40} Date (DD/MM/YYYY): {open:12} Time (IST): {open:8} hours (24-hour format) Place: {open:24}',
    ],
    open: 'Open: to be stated by the person who signs',
  },
  hi: {
    draft:
      'प्रारूप। करार ने इसे अपने अभिलेख से तैयार किया है; यह कानूनी सलाह नहीं है और कुछ भी प्रमाणित नहीं करता। किसी के हस्ताक्षर करने से पहले इसके रूप को भारत के राजपत्र में प्रकाशित भारतीय साक्ष्य अधिनियम, 2023 की अनुसूची से मिला लें। पीले स्थान और खाने वे कथन हैं जो केवल हस्ताक्षर करने वाला व्यक्ति ही दे सकता है: करार ने उन्हें खुला छोड़ा है।',
    title: 'धारा 63(4)(ग) के अधीन प्रमाणपत्र',
    source: 'भारतीय साक्ष्य अधिनियम, 2023 (2023 का 47) की अनुसूची',
    partA: 'भाग क (पक्षकार द्वारा भरा जाए)',
    party: [
      'मैं, {person}, पुत्र/पुत्री/पति/पत्नी {open:30}, निवासी/नियोजित {open:50}, सत्यनिष्ठा से प्रतिज्ञान करता/करती हूँ और निष्कपटता से निम्नलिखित कथन और निवेदन करता/करती हूँ:',
      `मैंने निम्नलिखित युक्ति या डिजिटल अभिलेख स्रोत से लिया गया इलेक्ट्रॉनिक अभिलेख / डिजिटल अभिलेख का आउटपुट प्रस्तुत किया है (जो लागू हो उस पर चिह्न लगाएँ): ${HI_DEVICE}`,
      HI_DETAILS,
      HI_CONTROL,
      'डिजिटल युक्ति या डिजिटल अभिलेख का स्रोत मेरे {tick:स्वामित्व में} {tick:अनुरक्षण में} {tick:प्रबंधन में} {tick:प्रचालन में} है (जो लागू हो चुनें)।',
      HI_HASH,
      HI_SIGN,
    ],
    partB: 'भाग ख (विशेषज्ञ द्वारा भरा जाए)',
    expert: [
      'मैं, {open:30}, पुत्र/पुत्री/पति/पत्नी {open:30}, निवासी/नियोजित {open:50}, सत्यनिष्ठा से प्रतिज्ञान करता/करती हूँ और निष्कपटता से निम्नलिखित कथन और निवेदन करता/करती हूँ:',
      `प्रस्तुत इलेक्ट्रॉनिक अभिलेख / डिजिटल अभिलेख का आउटपुट निम्नलिखित युक्ति या डिजिटल अभिलेख स्रोत से प्राप्त किया गया है (जो लागू हो उस पर चिह्न लगाएँ): ${HI_DEVICE}`,
      HI_DETAILS,
      HI_HASH,
      'नाम, पदनाम और हस्ताक्षर: {open:40} तारीख (दिन/माह/वर्ष): {open:12} समय (भारतीय मानक समय): {open:8} बजे (24 घंटे का प्रारूप) स्थान: {open:24}',
    ],
    open: 'खुला: हस्ताक्षर करने वाला व्यक्ति बताए',
  },
};
