-- A book of schema 6, as the last program that made such books has written it (`.dump`), but for some views.
PRAGMA application_id = 1396920146;
PRAGMA user_version = 6;
BEGIN TRANSACTION;
CREATE TABLE aliases (spelling TEXT PRIMARY KEY, name TEXT NOT NULL, checksum INTEGER) WITHOUT ROWID;
CREATE TABLE kept_matches (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        ruleset TEXT NOT NULL,
        sha TEXT NOT NULL REFERENCES rulesets (sha),
        players TEXT NOT NULL,
        options TEXT NOT NULL,
        started TEXT NOT NULL,
        place TEXT,
        language TEXT NOT NULL DEFAULT '',
        title TEXT NOT NULL DEFAULT '',
        note TEXT NOT NULL DEFAULT '',
        identifier TEXT NOT NULL DEFAULT '',
        entries INTEGER NOT NULL DEFAULT 0,
        last TEXT NOT NULL,
        position INTEGER NOT NULL DEFAULT 0,
        touched INTEGER NOT NULL UNIQUE,
        summary TEXT NOT NULL DEFAULT 'null',
        fingerprint TEXT,
        checksum INTEGER
    );
INSERT INTO "kept_matches" VALUES(1,'dudo','114210aea9de789236642c93499e2c664cb3a07de60c3a805f050704d092c480','["Ana","Ben"]','{}','2026-11-20T10:30:00+00:00','club','','Friday','late','',3,'2026-11-26T18:35:11Z',3,2,'{"scores":{"Ana":4,"Ben":5},"over":false,"ahead":[]}',NULL,2953153463);
INSERT INTO "kept_matches" VALUES(2,'dudo','114210aea9de789236642c93499e2c664cb3a07de60c3a805f050704d092c480','["Ana","Ben","Cleo"]','{}','2026-11-21',NULL,'','','','',1,'2026-11-26T18:35:11Z',1,4,'{"scores":{"Ana":5,"Ben":5,"Cleo":5},"over":false,"ahead":[]}',NULL,2320420978);
INSERT INTO "kept_matches" VALUES(3,'dudo','114210aea9de789236642c93499e2c664cb3a07de60c3a805f050704d092c480','["Ana","Ben"]','{}','2026-11-20T23:30:00+01:00',NULL,'','','','',0,'2026-11-26T18:35:11Z',0,5,'null',NULL,3396979770);
INSERT INTO "kept_matches" VALUES(4,'dudo','114210aea9de789236642c93499e2c664cb3a07de60c3a805f050704d092c480','["Ben","Cleo"]','{}','in May',NULL,'','','','',0,'2026-11-26T18:35:11Z',0,6,'null',NULL,1636496212);
INSERT INTO "kept_matches" VALUES(5,'dudo','114210aea9de789236642c93499e2c664cb3a07de60c3a805f050704d092c480','["Ben","Cleo"]','{}','',NULL,'','','','',0,'2026-11-26T18:35:11Z',0,7,'null',NULL,1290444896);
INSERT INTO "kept_matches" VALUES(6,'dudo','114210aea9de789236642c93499e2c664cb3a07de60c3a805f050704d092c480','["Ana","Cleo"]','{}','2026-11-21T20:15',NULL,'','','','',0,'2026-11-26T18:35:11Z',0,8,'null',NULL,1994225595);
INSERT INTO "kept_matches" VALUES(7,'dudo','114210aea9de789236642c93499e2c664cb3a07de60c3a805f050704d092c480','["Ana","Cleo"]','{}','2026-11-22T00:15:30Z',NULL,'','','','00000000-0000-4000-8000-000000000007',3,'2026-11-26T18:35:11Z',3,10,'{"scores":{"Ana":4,"Cleo":5},"over":false,"ahead":[]}',NULL,1373437265);
CREATE TABLE kept_rounds (
        match INTEGER NOT NULL REFERENCES kept_matches (id),
        number INTEGER NOT NULL,
        first_position INTEGER,
        standing TEXT NOT NULL,
        summary TEXT NOT NULL,
        told TEXT NOT NULL DEFAULT '',
        checksum INTEGER,
        PRIMARY KEY (match, number)
    ) WITHOUT ROWID;
INSERT INTO "kept_rounds" VALUES(1,1,1,'{"tally":[5,5],"dealer":1,"leader":0,"carry":{},"over":false}','{"version":2,"round":1,"over":true,"ends":false,"due":"Ben","dealer":null,"leader":"Ana","sat_out":[],"roles":{"bidder":{"side":"Ana","players":["Ana"]},"caller":{"side":"Ben","players":["Ben"]},"loser":{"side":"Ana","players":["Ana"]}},"sides":{},"before":{"Ana":5,"Ben":5},"changes":{"Ana":-1,"Ben":0},"tally":{"Ana":4,"Ben":5},"lines":[{"code":"scores.lost","for":"Ana","points":-1,"cite":"3.1","label":"lost"}],"eliminated":[],"facts":{"bid":"2x3","bids":1,"call":"dudo","matching":1},"mistaken":false,"result":null,"void":null,"fouls":[],"penalties":[],"notes":[],"decisions":[],"found":[],"stuck":0,"ignored":[],"present":["Ana","Ben"],"annulled":false,"won":[],"lost":["Ana"],"decided":true,"unscored":false,"counts":{"lost":{"Ana":1},"bids":{"Ana":1},"caught":{"Ana":1},"doubts":{"Ben":1},"doubts-won":{"Ben":1}}}','[["Ana: 2x3","Ana","bid"],["Ben: dudo","Ben","doubt"],["count 1",null,"count"]]',1527572753);
INSERT INTO "kept_rounds" VALUES(7,1,1,'{"tally":[5,5],"dealer":1,"leader":0,"carry":{},"over":false}','{"version":2,"round":1,"over":true,"ends":false,"due":"Cleo","dealer":null,"leader":"Ana","sat_out":[],"roles":{"bidder":{"side":"Ana","players":["Ana"]},"caller":{"side":"Cleo","players":["Cleo"]},"loser":{"side":"Ana","players":["Ana"]}},"sides":{},"before":{"Ana":5,"Cleo":5},"changes":{"Ana":-1,"Cleo":0},"tally":{"Ana":4,"Cleo":5},"lines":[{"code":"scores.lost","for":"Ana","points":-1,"cite":"3.1","label":"lost"}],"eliminated":[],"facts":{"bid":"1x2","bids":1,"call":"dudo","matching":0},"mistaken":false,"result":null,"void":null,"fouls":[],"penalties":[],"notes":[],"decisions":[],"found":[],"stuck":0,"ignored":[],"present":["Ana","Cleo"],"annulled":false,"won":[],"lost":["Ana"],"decided":true,"unscored":false,"counts":{"lost":{"Ana":1},"bids":{"Ana":1},"caught":{"Ana":1},"doubts":{"Cleo":1},"doubts-won":{"Cleo":1}}}','[["Ana: 1x2","Ana","bid"],["Cleo: dudo","Cleo","doubt"],["count 0",null,"count"]]',1412910477);
CREATE TABLE log (
        match INTEGER NOT NULL REFERENCES kept_matches (id),
        position INTEGER NOT NULL CHECK (position > 0),
        kind TEXT NOT NULL,
        round INTEGER NOT NULL,
        number INTEGER NOT NULL,
        text TEXT NOT NULL,
        decision TEXT,
        time TEXT NOT NULL,
        recorder TEXT NOT NULL,
        checksum INTEGER,
        PRIMARY KEY (match, position)
    ) WITHOUT ROWID;
INSERT INTO "log" VALUES(1,1,'entry',1,1,'Ana: 2x3',NULL,'2026-11-26T18:35:11Z','somebody@16967',4045441028);
INSERT INTO "log" VALUES(1,2,'entry',1,2,'Ben: dudo',NULL,'2026-11-26T18:35:11Z','somebody@16967',1078291925);
INSERT INTO "log" VALUES(1,3,'entry',1,3,'count 1',NULL,'2026-11-26T18:35:11Z','somebody@16967',1556414135);
INSERT INTO "log" VALUES(2,1,'entry',1,1,'Ana: 2x3',NULL,'2026-11-26T18:35:11Z','somebody@16967',16070496);
INSERT INTO "log" VALUES(7,1,'entry',1,1,'Ana: 1x2',NULL,'2026-11-26T18:35:11Z','somebody@16967',381369541);
INSERT INTO "log" VALUES(7,2,'entry',1,2,'Cleo: dudo',NULL,'2026-11-26T18:35:11Z','somebody@16967',955731930);
INSERT INTO "log" VALUES(7,3,'entry',1,3,'count 0',NULL,'2026-11-26T18:35:11Z','somebody@16967',4282857467);
CREATE TABLE marks (
        match INTEGER PRIMARY KEY REFERENCES kept_matches (id) ON DELETE CASCADE,
        position INTEGER NOT NULL
    );
CREATE TABLE rulesets (
        sha TEXT PRIMARY KEY,
        text TEXT NOT NULL,
        data TEXT NOT NULL,
        checksum INTEGER
    );
INSERT INTO "rulesets" VALUES('114210aea9de789236642c93499e2c664cb3a07de60c3a805f050704d092c480','language = 3
name = "dudo"
title = "Dudo"
rules = "dudo"
source = "a French encyclopedia''s article on Dudo"

[languages.de.suit_words]
S = [
    "pik",
]
H = [
    "herz",
]
D = [
    "karo",
]
C = [
    "kreuz",
]

[languages.de.words]
dealer = [
    "geber",
    "geberin",
]
lead = [
    "beginnt",
]
hand = [
    "hand",
    "blatt",
]
holds = [
    "hält",
    "haelt",
    "hat",
]
standing = [
    "stand",
]
check = [
    "prüfe",
    "pruefe",
]
note = [
    "notiz",
]
void = [
    "ungültig",
    "ungueltig",
]
foul = [
    "verstoß",
    "verstoss",
]
penalty = [
    "strafe",
]
result = [
    "ergebnis",
]
score = [
    "wertet",
]
joins = [
    "kommt",
]
quits = [
    "geht",
]
seats = [
    "plätze",
    "plaetze",
]
after = [
    "nach",
]
for = [
    "für",
    "fuer",
]
end = [
    "ende",
]
sudden-death = [
    "plötzlicher tod",
    "ploetzlicher tod",
]
all = [
    "alle",
]
loser = [
    "verlierer",
    "verliererin",
]
doubt = [
    "ich zweifle",
    "zweifel",
]
exact = [
    "genau",
]
open = [
    "offen",
]
closed = [
    "verdeckt",
]
left = [
    "links",
]
right = [
    "rechts",
]
direction = [
    "richtung",
]
dice = [
    "würfel",
    "wuerfel",
]
count = [
    "gezählt",
    "gezaehlt",
]
cheating = [
    "betrug",
]
gainer = [
    "gewinner",
    "gewinnerin",
]

[languages.de.sentences]
Deal = "Spiel"
Dealer = "Geber"
Round = "Runde"
"Went out" = "Ausgeschieden"
"void {void}" = "ungültig: {void}"
points = "Punkte"
Total = "Summe"
Rank = "Rang"
Contract = "Spielart"
Value = "Wert"
"deals won" = "gewonnene Spiele"
Trump = "Trumpf"
Starts = "Beginnt"
Change = "Änderung"
Why = "Warum"
Out = "Ausgeschieden"
Dice = "Würfel"
"{caller}: {call} to {bidder}''s {bid}, {matching} matched" = "{caller}: {call} auf {bid} von {bidder}, passend: {matching}"
"foul of {fouls}" = "Verstoß von {fouls}"
"result: {result}" = "Ergebnis: {result}"
dice = "Würfel"
won = "gewonnen"
lost = "verloren"
"there are fewer dice than that on the table: a bluff, but a legal one" = "so viele Würfel liegen nicht auf dem Tisch: ein Bluff, aber ein erlaubter"
"revokes, proven" = "nicht bedient, erwiesen"
"by role" = "nach Partei"
bids = "Gebote"
opponents = "Gegner"
gained = "gewonnen"
"the first bid may not be on aces; the least legal bids are {legal}" = "das erste Gebot darf nicht auf Asse lauten; die kleinsten erlaubten sind {legal}"
"who has more than one die may not open on aces; the least legal bids are {legal}" = "wer mehr als einen Würfel hat, darf nicht mit Assen eröffnen; die kleinsten erlaubten Gebote sind {legal}"
"Dudo, aces opened with one die" = "Dudo, Asse auch mit einem Würfel eröffnet"
"Dudo, calzo by anyone" = "Dudo, Calzo für alle"
"Perudo with lives" = "Perudo mit Leben"
lives = "Leben"
Lives = "Leben"
Played = "Gespielt"
Place = "Platz"
dudos = "Dudos"
"dudos won" = "gewonnene Dudos"
calzos = "Calzos"
"calzos won" = "gewonnene Calzos"
"rounds lost" = "verlorene Runden"
"bids caught" = "erwischte Gebote"
"dudos lost" = "verlorene Dudos"
"calzos lost" = "verlorene Calzos"

[languages.fr.suit_words]
S = [
    "pique",
    "piques",
]
H = [
    "coeur",
    "cœur",
    "coeurs",
    "cœurs",
]
D = [
    "carreau",
    "carreaux",
]
C = [
    "trèfle",
    "trefle",
    "trèfles",
    "trefles",
]

[languages.fr.words]
dealer = [
    "donneur",
    "donneuse",
]
lead = [
    "commence",
]
hand = [
    "main",
]
holds = [
    "tient",
]
standing = [
    "total",
]
check = [
    "vérifie",
    "verifie",
]
note = [
    "remarque",
]
void = [
    "annulé",
    "annule",
    "annulée",
    "annulee",
]
foul = [
    "faute",
]
penalty = [
    "pénalité",
    "penalite",
]
result = [
    "résultat",
    "resultat",
]
score = [
    "marque",
]
joins = [
    "arrive",
    "rejoint",
]
quits = [
    "part",
    "quitte",
]
seats = [
    "places",
]
after = [
    "après",
    "apres",
]
for = [
    "pour",
]
end = [
    "fin",
]
sudden-death = [
    "mort subite",
]
all = [
    "tous",
    "toutes",
]
loser = [
    "perdant",
    "perdante",
]
doubt = [
    "je doute",
]
exact = [
    "je chausse",
]
open = [
    "ouverte",
]
closed = [
    "fermée",
    "fermee",
]
left = [
    "gauche",
]
right = [
    "droite",
]
direction = [
    "sens",
]
dice = [
    "dés",
    "des",
]
count = [
    "compte",
]
cheating = [
    "triche",
]
gainer = [
    "gagnant",
    "gagnante",
]

[languages.fr.sentences]
Deal = "Donne"
Dealer = "Donneur"
Round = "Manche"
"Went out" = "Sorti"
"void {void}" = "annulée ({void})"
points = "points"
Total = "Total"
Rank = "Rang"
Contract = "Contrat"
Value = "Valeur"
"deals won" = "donnes gagnées"
Trump = "Atout"
Starts = "Commence"
Change = "Changement"
Why = "Pourquoi"
Out = "Éliminé"
Dice = "Dés"
"{caller}: {call} to {bidder}''s {bid}, {matching} matched" = "{caller} dit {call} sur {bid} de {bidder}, {matching} trouvés"
"foul of {fouls}" = "faute de {fouls}"
"result: {result}" = "résultat ({result})"
dice = "dés"
won = "gagné"
lost = "perdu"
opponents = "adversaires"
"there are fewer dice than that on the table: a bluff, but a legal one" = "il y a moins de dés que cela sur la table : un bluff, mais permis"
"revokes, proven" = "renonces prouvées"
"by role" = "par camp"
bids = "enchères"
gained = "gagné"
"the first bid may not be on aces; the least legal bids are {legal}" = "la première enchère ne peut porter sur les as ; les plus petites permises sont {legal}"
"who has more than one die may not open on aces; the least legal bids are {legal}" = "qui a plus d''un dé ne peut ouvrir sur les as ; les plus petites enchères permises sont {legal}"
"Dudo, aces opened with one die" = "Dudo, as annoncés avec un seul dé"
"Dudo, calzo by anyone" = "Dudo, calzo pour tous"
"Perudo with lives" = "Perudo avec vies"
lives = "vies"
Lives = "Vies"
Played = "Mode"
Place = "Place"
dudos = "dudos"
"dudos won" = "dudos gagnés"
calzos = "calzos"
"calzos won" = "calzos gagnés"
"rounds lost" = "manches perdues"
"bids caught" = "enchères démasquées"
"dudos lost" = "dudos perdus"
"calzos lost" = "calzos perdus"

[languages.es.words]
open = [
    "abierta",
]
closed = [
    "cerrada",
]
left = [
    "izquierda",
]
right = [
    "derecha",
]

[players]
least = 2
most = 9999

[words]
doubt = [
    "dudo",
]
exact = [
    "calzo",
]
open = [
    "open",
]
closed = [
    "closed",
]

[faces.1]
words = [
    "as",
    "ases",
    "ace",
    "aces",
]

[faces.2]
words = [
    "tonto",
    "tontos",
]

[faces.3]
words = [
    "tren",
    "trenes",
]

[faces.4]
words = [
    "cuadra",
    "cuadras",
]

[faces.5]
words = [
    "quina",
    "quinas",
]

[faces.6]
words = [
    "sexta",
    "sextas",
]

[tally]
name = "dice"
start = 5
least = 0
most = 5
out = true

[dice]
each = "own.tally"

[match]
ends = "players.left <= 1"
wins = "last"
leader = 1
direction = "left"

[remedies.cheating]
on = [
    "foul",
]
then = [
    "die-lost",
]
cite = "5"

[consequences.die-lost]
play = "stops"
round = "unscored"
starts = "culprit"
penalty = "cheating"

[penalties.cheating]
culprit = -1
cite = "5"

[levelling]
to = 1
cite = "4.3"

[phases.choice]
at = 1
options = [
    "open",
    "closed",
]
keeps = true
placed = false
levelled = false
repeats = true
cite = "4.1"

[phases.bids]
wild = 1
turns = "each"
keeps = true
cite = "2.3"

[phases.reveal]
cite = "3.4"

[clauses.at-least-one]
word = "raise"
least = 1
cite = "2.2"

[clauses.opening-face]
word = "barred"
when = "opening and wild"
cite = "2.2"
say = "the first bid may not be on aces; the least legal bids are {legal}"

[clauses.higher-face]
word = "raise"
when = "not opening and not wild and not previous.wild and face > previous.face"
least = "previous.count"
cite = "2.3"

[clauses.same-or-lower-face]
word = "raise"
when = "not opening and not wild and not previous.wild and face <= previous.face"
least = "previous.count + 1"
cite = "2.3"

[clauses.to-aces]
word = "raise"
when = "not opening and wild and not previous.wild"
least = "ceil(previous.count / 2)"
cite = "2.3"

[clauses.on-aces]
word = "raise"
when = "not opening and wild and previous.wild"
least = "previous.count + 1"
cite = "2.3"

[clauses.from-aces]
word = "raise"
when = "not opening and not wild and previous.wild"
least = "2 * previous.count + 1"
cite = "2.3"

[clauses.bluff]
word = "remark"
phase = "bids"
on = [
    "bid",
]
when = "count > dice"
say = "there are fewer dice than that on the table: a bluff, but a legal one"
cite = "2.4"

[clauses.no-bid]
word = "on-a-bid"
cite = "3.3"

[clauses.doubter]
word = "caller"
on = [
    "doubt",
]
who = "next"
cite = "3.3"

[clauses.exact-caller]
word = "caller"
on = [
    "exact",
]
who = "next"
cite = "3.3"

[clauses.direction]
word = "direction-first"
cite = "1.3"

[outcomes.doubted-well]
call = "doubt"
when = "matching < bid.count"
who = "bidder"
as = "loser"
cite = "3.1"

[outcomes.doubted-badly]
call = "doubt"
when = "matching >= bid.count"
who = "caller"
as = "loser"
cite = "3.1"

[outcomes.exactly-so]
call = "exact"
when = "matching == bid.count"
who = "caller"
as = "gainer"
cite = "3.2"

[outcomes.not-exactly]
call = "exact"
when = "matching != bid.count"
who = "caller"
as = "loser"
cite = "3.2"

[scores.lost]
for = "loser"
points = -1
cite = "3.1"

[scores.gained]
for = "gainer"
points = 1
when = "gainer.tally < tally.limit"
cite = "3.2"

[sheet.columns.round]
label = "Round"
say = "{round}"

[sheet.columns.leader]
label = "Starts"
say = "{leader}"
width = 8

[sheet.columns.mode]
label = "Played"
say = [
    "{mode}",
    "{levelled}",
]
optional = true

[sheet.columns.dice]
per = "player"
say = "{tally}"

[sheet.columns.change]
label = "Change"
say = "{changes}"
width = 8

[sheet.columns.why]
label = "Why"
width = 24
say = [
    "void {void}",
    "{caller}: {call} to {bidder}''s {bid}, {matching} matched",
    "foul of {fouls}",
    "result: {result}",
]

[sheet.columns.out]
label = "Out"
say = "{eliminated}"
optional = true

[sheet.totals.dice]
label = "Dice"
say = "{tally}"

[sheet.totals.place]
label = "Place"
say = "{place}"

[sheet.totals.out]
label = "Went out"
say = "{out}"

[history]
won = []
lost = [
    "loser",
]
stopped = "nothing"

[statistics.lost]
label = "rounds lost"
count = "roles"
role = "loser"
of = "rounds"

[statistics.bids]
label = "bids"
verbs = [
    "bid",
]

[statistics.caught]
label = "bids caught"
count = "roles"
role = "loser"
as = [
    "bidder",
]

[statistics.doubts]
label = "dudos"
verbs = [
    "doubt",
]

[statistics.doubts-won]
label = "dudos won"
verbs = [
    "doubt",
]
others = [
    "loser",
]
of = "doubts"

[statistics.doubts-lost]
label = "dudos lost"
verbs = [
    "doubt",
]
as = [
    "loser",
]
of = "doubts"

[statistics.exacts]
label = "calzos"
verbs = [
    "exact",
]

[statistics.exacts-won]
label = "calzos won"
verbs = [
    "exact",
]
as = [
    "gainer",
]
of = "exacts"

[statistics.exacts-lost]
label = "calzos lost"
verbs = [
    "exact",
]
as = [
    "loser",
]
of = "exacts"
','{"language":3,"name":"dudo","title":"Dudo","rules":"dudo","source":"a French encyclopedia''s article on Dudo","languages":{"de":{"suit_words":{"S":["pik"],"H":["herz"],"D":["karo"],"C":["kreuz"]},"words":{"dealer":["geber","geberin"],"lead":["beginnt"],"hand":["hand","blatt"],"holds":["hält","haelt","hat"],"standing":["stand"],"check":["prüfe","pruefe"],"note":["notiz"],"void":["ungültig","ungueltig"],"foul":["verstoß","verstoss"],"penalty":["strafe"],"result":["ergebnis"],"score":["wertet"],"joins":["kommt"],"quits":["geht"],"seats":["plätze","plaetze"],"after":["nach"],"for":["für","fuer"],"end":["ende"],"sudden-death":["plötzlicher tod","ploetzlicher tod"],"all":["alle"],"loser":["verlierer","verliererin"],"doubt":["ich zweifle","zweifel"],"exact":["genau"],"open":["offen"],"closed":["verdeckt"],"left":["links"],"right":["rechts"],"direction":["richtung"],"dice":["würfel","wuerfel"],"count":["gezählt","gezaehlt"],"cheating":["betrug"],"gainer":["gewinner","gewinnerin"]},"sentences":{"Deal":"Spiel","Dealer":"Geber","Round":"Runde","Went out":"Ausgeschieden","void {void}":"ungültig: {void}","points":"Punkte","Total":"Summe","Rank":"Rang","Contract":"Spielart","Value":"Wert","deals won":"gewonnene Spiele","Trump":"Trumpf","Starts":"Beginnt","Change":"Änderung","Why":"Warum","Out":"Ausgeschieden","Dice":"Würfel","{caller}: {call} to {bidder}''s {bid}, {matching} matched":"{caller}: {call} auf {bid} von {bidder}, passend: {matching}","foul of {fouls}":"Verstoß von {fouls}","result: {result}":"Ergebnis: {result}","dice":"Würfel","won":"gewonnen","lost":"verloren","there are fewer dice than that on the table: a bluff, but a legal one":"so viele Würfel liegen nicht auf dem Tisch: ein Bluff, aber ein erlaubter","revokes, proven":"nicht bedient, erwiesen","by role":"nach Partei","bids":"Gebote","opponents":"Gegner","gained":"gewonnen","the first bid may not be on aces; the least legal bids are {legal}":"das erste Gebot darf nicht auf Asse lauten; die kleinsten erlaubten sind {legal}","who has more than one die may not open on aces; the least legal bids are {legal}":"wer mehr als einen Würfel hat, darf nicht mit Assen eröffnen; die kleinsten erlaubten Gebote sind {legal}","Dudo, aces opened with one die":"Dudo, Asse auch mit einem Würfel eröffnet","Dudo, calzo by anyone":"Dudo, Calzo für alle","Perudo with lives":"Perudo mit Leben","lives":"Leben","Lives":"Leben","Played":"Gespielt","Place":"Platz","dudos":"Dudos","dudos won":"gewonnene Dudos","calzos":"Calzos","calzos won":"gewonnene Calzos","rounds lost":"verlorene Runden","bids caught":"erwischte Gebote","dudos lost":"verlorene Dudos","calzos lost":"verlorene Calzos"}},"fr":{"suit_words":{"S":["pique","piques"],"H":["coeur","cœur","coeurs","cœurs"],"D":["carreau","carreaux"],"C":["trèfle","trefle","trèfles","trefles"]},"words":{"dealer":["donneur","donneuse"],"lead":["commence"],"hand":["main"],"holds":["tient"],"standing":["total"],"check":["vérifie","verifie"],"note":["remarque"],"void":["annulé","annule","annulée","annulee"],"foul":["faute"],"penalty":["pénalité","penalite"],"result":["résultat","resultat"],"score":["marque"],"joins":["arrive","rejoint"],"quits":["part","quitte"],"seats":["places"],"after":["après","apres"],"for":["pour"],"end":["fin"],"sudden-death":["mort subite"],"all":["tous","toutes"],"loser":["perdant","perdante"],"doubt":["je doute"],"exact":["je chausse"],"open":["ouverte"],"closed":["fermée","fermee"],"left":["gauche"],"right":["droite"],"direction":["sens"],"dice":["dés","des"],"count":["compte"],"cheating":["triche"],"gainer":["gagnant","gagnante"]},"sentences":{"Deal":"Donne","Dealer":"Donneur","Round":"Manche","Went out":"Sorti","void {void}":"annulée ({void})","points":"points","Total":"Total","Rank":"Rang","Contract":"Contrat","Value":"Valeur","deals won":"donnes gagnées","Trump":"Atout","Starts":"Commence","Change":"Changement","Why":"Pourquoi","Out":"Éliminé","Dice":"Dés","{caller}: {call} to {bidder}''s {bid}, {matching} matched":"{caller} dit {call} sur {bid} de {bidder}, {matching} trouvés","foul of {fouls}":"faute de {fouls}","result: {result}":"résultat ({result})","dice":"dés","won":"gagné","lost":"perdu","opponents":"adversaires","there are fewer dice than that on the table: a bluff, but a legal one":"il y a moins de dés que cela sur la table : un bluff, mais permis","revokes, proven":"renonces prouvées","by role":"par camp","bids":"enchères","gained":"gagné","the first bid may not be on aces; the least legal bids are {legal}":"la première enchère ne peut porter sur les as ; les plus petites permises sont {legal}","who has more than one die may not open on aces; the least legal bids are {legal}":"qui a plus d''un dé ne peut ouvrir sur les as ; les plus petites enchères permises sont {legal}","Dudo, aces opened with one die":"Dudo, as annoncés avec un seul dé","Dudo, calzo by anyone":"Dudo, calzo pour tous","Perudo with lives":"Perudo avec vies","lives":"vies","Lives":"Vies","Played":"Mode","Place":"Place","dudos":"dudos","dudos won":"dudos gagnés","calzos":"calzos","calzos won":"calzos gagnés","rounds lost":"manches perdues","bids caught":"enchères démasquées","dudos lost":"dudos perdus","calzos lost":"calzos perdus"}},"es":{"words":{"open":["abierta"],"closed":["cerrada"],"left":["izquierda"],"right":["derecha"]}}},"players":{"least":2,"most":9999},"words":{"doubt":["dudo"],"exact":["calzo"],"open":["open"],"closed":["closed"]},"faces":{"1":{"words":["as","ases","ace","aces"]},"2":{"words":["tonto","tontos"]},"3":{"words":["tren","trenes"]},"4":{"words":["cuadra","cuadras"]},"5":{"words":["quina","quinas"]},"6":{"words":["sexta","sextas"]}},"tally":{"name":"dice","start":5,"least":0,"most":5,"out":true},"dice":{"each":"own.tally"},"match":{"ends":"players.left <= 1","wins":"last","leader":1,"direction":"left"},"remedies":{"cheating":{"on":["foul"],"then":["die-lost"],"cite":"5"}},"consequences":{"die-lost":{"play":"stops","round":"unscored","starts":"culprit","penalty":"cheating"}},"penalties":{"cheating":{"culprit":-1,"cite":"5"}},"levelling":{"to":1,"cite":"4.3"},"phases":{"choice":{"at":1,"options":["open","closed"],"keeps":true,"placed":false,"levelled":false,"repeats":true,"cite":"4.1"},"bids":{"wild":1,"turns":"each","keeps":true,"cite":"2.3"},"reveal":{"cite":"3.4"}},"clauses":{"at-least-one":{"word":"raise","least":1,"cite":"2.2"},"opening-face":{"word":"barred","when":"opening and wild","cite":"2.2","say":"the first bid may not be on aces; the least legal bids are {legal}"},"higher-face":{"word":"raise","when":"not opening and not wild and not previous.wild and face > previous.face","least":"previous.count","cite":"2.3"},"same-or-lower-face":{"word":"raise","when":"not opening and not wild and not previous.wild and face <= previous.face","least":"previous.count + 1","cite":"2.3"},"to-aces":{"word":"raise","when":"not opening and wild and not previous.wild","least":"ceil(previous.count / 2)","cite":"2.3"},"on-aces":{"word":"raise","when":"not opening and wild and previous.wild","least":"previous.count + 1","cite":"2.3"},"from-aces":{"word":"raise","when":"not opening and not wild and previous.wild","least":"2 * previous.count + 1","cite":"2.3"},"bluff":{"word":"remark","phase":"bids","on":["bid"],"when":"count > dice","say":"there are fewer dice than that on the table: a bluff, but a legal one","cite":"2.4"},"no-bid":{"word":"on-a-bid","cite":"3.3"},"doubter":{"word":"caller","on":["doubt"],"who":"next","cite":"3.3"},"exact-caller":{"word":"caller","on":["exact"],"who":"next","cite":"3.3"},"direction":{"word":"direction-first","cite":"1.3"}},"outcomes":{"doubted-well":{"call":"doubt","when":"matching < bid.count","who":"bidder","as":"loser","cite":"3.1"},"doubted-badly":{"call":"doubt","when":"matching >= bid.count","who":"caller","as":"loser","cite":"3.1"},"exactly-so":{"call":"exact","when":"matching == bid.count","who":"caller","as":"gainer","cite":"3.2"},"not-exactly":{"call":"exact","when":"matching != bid.count","who":"caller","as":"loser","cite":"3.2"}},"scores":{"lost":{"for":"loser","points":-1,"cite":"3.1"},"gained":{"for":"gainer","points":1,"when":"gainer.tally < tally.limit","cite":"3.2"}},"sheet":{"columns":{"round":{"label":"Round","say":"{round}"},"leader":{"label":"Starts","say":"{leader}","width":8},"mode":{"label":"Played","say":["{mode}","{levelled}"],"optional":true},"dice":{"per":"player","say":"{tally}"},"change":{"label":"Change","say":"{changes}","width":8},"why":{"label":"Why","width":24,"say":["void {void}","{caller}: {call} to {bidder}''s {bid}, {matching} matched","foul of {fouls}","result: {result}"]},"out":{"label":"Out","say":"{eliminated}","optional":true}},"totals":{"dice":{"label":"Dice","say":"{tally}"},"place":{"label":"Place","say":"{place}"},"out":{"label":"Went out","say":"{out}"}}},"history":{"won":[],"lost":["loser"],"stopped":"nothing"},"statistics":{"lost":{"label":"rounds lost","count":"roles","role":"loser","of":"rounds"},"bids":{"label":"bids","verbs":["bid"]},"caught":{"label":"bids caught","count":"roles","role":"loser","as":["bidder"]},"doubts":{"label":"dudos","verbs":["doubt"]},"doubts-won":{"label":"dudos won","verbs":["doubt"],"others":["loser"],"of":"doubts"},"doubts-lost":{"label":"dudos lost","verbs":["doubt"],"as":["loser"],"of":"doubts"},"exacts":{"label":"calzos","verbs":["exact"]},"exacts-won":{"label":"calzos won","verbs":["exact"],"as":["gainer"],"of":"exacts"},"exacts-lost":{"label":"calzos lost","verbs":["exact"],"as":["loser"],"of":"exacts"}}}',2442361662);
CREATE INDEX matches_alike ON kept_matches (players, fingerprint);
CREATE INDEX matches_begun ON kept_matches (players, started);
CREATE INDEX matches_identified ON kept_matches (identifier);
CREATE TRIGGER log_unchanged BEFORE UPDATE ON log
       BEGIN SELECT RAISE(ABORT, 'the log is never changed'); END;
CREATE TRIGGER log_kept BEFORE DELETE ON log
       WHEN EXISTS (SELECT 1 FROM kept_matches WHERE id = OLD.match)
       BEGIN SELECT RAISE(ABORT, 'the log is never erased'); END;
CREATE VIEW _matches AS SELECT kept_matches.id AS "match", kept_matches.ruleset AS "ruleset", nullif(kept_matches.started, '') AS "started", CASE WHEN like('____-__-__T__:__:__Z', kept_matches.started)
        OR like('____-__-__T__:__:__+00:00', kept_matches.started)
        OR like('____-__-__T__:__Z', kept_matches.started)
        OR like('____-__-__T__:__+00:00', kept_matches.started)
    THEN strftime('%Y-%m-%d', kept_matches.started, 'localtime')
    WHEN strftime('%Y-%m-%d', substr(kept_matches.started, 1, 10), '+0 days')
        = substr(kept_matches.started, 1, 10)
    THEN substr(kept_matches.started, 1, 10) END AS "date", kept_matches.place AS "place", nullif(kept_matches.title, '') AS "title", nullif(kept_matches.note, '') AS "note", (SELECT group_concat(coalesce((
        SELECT told.name FROM aliases AS told WHERE told.spelling = everybody.name AND NOT EXISTS (
            SELECT 1 FROM json_each(kept_matches.summary, '$.scores') AS one
            LEFT JOIN aliases AS theirs ON theirs.spelling = one.key
            GROUP BY lower(coalesce(theirs.name, one.key)) HAVING count(1) > 1
        )
    ), everybody.name), ', ') FROM (
    SELECT CASE typeof(listed.key) WHEN 'text' THEN listed.key ELSE listed.value END AS name
    FROM json_each(coalesce(json_extract(kept_matches.summary, '$.scores'),
        kept_matches.players)) AS listed) AS everybody) AS "players", coalesce((SELECT max(kept_rounds.number) FROM kept_rounds WHERE kept_rounds.match = kept_matches.id), (SELECT CASE
        WHEN sum(CASE log.kind WHEN 'entry' THEN 1 WHEN 'undo' THEN -1 ELSE 0 END) > 0
        THEN max(log.round) END
    FROM log WHERE log.match = kept_matches.id), 0) AS "rounds", coalesce((SELECT max(kept_rounds.number) FROM kept_rounds WHERE kept_rounds.match = kept_matches.id), (SELECT CASE
        WHEN sum(CASE log.kind WHEN 'entry' THEN 1 WHEN 'undo' THEN -1 ELSE 0 END) > 0
        THEN max(log.round) END
    FROM log WHERE log.match = kept_matches.id), 0) - (SELECT count(1) FROM kept_rounds WHERE kept_rounds.match = kept_matches.id
    AND (kept_rounds.told <> '' AND json_extract(kept_rounds.summary, '$.version') = 2)) - (SELECT CASE WHEN (SELECT max(kept_rounds.number) FROM kept_rounds WHERE kept_rounds.match = kept_matches.id) IS NULL
    THEN kept_matches.summary IS NOT NULL AND (SELECT CASE
        WHEN sum(CASE log.kind WHEN 'entry' THEN 1 WHEN 'undo' THEN -1 ELSE 0 END) > 0
        THEN max(log.round) END
    FROM log WHERE log.match = kept_matches.id) IS NOT NULL
    ELSE EXISTS (SELECT 1 FROM kept_rounds WHERE kept_rounds.match = kept_matches.id
        AND kept_rounds.summary = 'null' AND kept_rounds.number = (SELECT max(kept_rounds.number) FROM kept_rounds WHERE kept_rounds.match = kept_matches.id)) END) AS "rounds_missing", coalesce(json_extract(kept_matches.summary, '$.over'), 0) AS "over", kept_matches.entries AS "entered", kept_matches.last AS "last" FROM kept_matches WHERE likely(1);
CREATE VIEW matches AS SELECT CAST(_matches."match" AS BIGINT) AS "match", CAST(_matches."ruleset" AS TEXT) AS "ruleset", CAST(_matches."started" AS TEXT) AS "started", CAST(_matches."date" AS TEXT) AS "date", CAST(_matches."place" AS TEXT) AS "place", CAST(_matches."title" AS TEXT) AS "title", CAST(_matches."note" AS TEXT) AS "note", CAST(_matches."players" AS TEXT) AS "players", CAST(_matches."rounds" AS BIGINT) AS "rounds", CAST(_matches."rounds_missing" AS BIGINT) AS "rounds_missing", CAST(_matches."over" AS BIGINT) AS "over", CAST(_matches."entered" AS BIGINT) AS "entered", CAST(_matches."last" AS TEXT) AS "last" FROM _matches;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('kept_matches',7);
COMMIT;
