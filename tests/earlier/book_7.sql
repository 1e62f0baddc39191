-- A book of schema 7, as the last program that wrote such books made it (`.dump`), with two of its views.
PRAGMA application_id = 1396920146;
PRAGMA user_version = 7;
BEGIN TRANSACTION;
CREATE TABLE aliases (spelling TEXT PRIMARY KEY, name TEXT NOT NULL, checksum INTEGER) WITHOUT ROWID;
INSERT INTO "aliases" VALUES('Cleo','Kleo',1847676422);
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
        day TEXT NOT NULL DEFAULT '',
        checksum INTEGER
    );
INSERT INTO "kept_matches" VALUES(1,'dudo','114210aea9de789236642c93499e2c664cb3a07de60c3a805f050704d092c480','["Ana","Ben"]','{}','2026-11-20T10:30:00Z','club','','Friday','','',5,'2026-11-26T22:23:28Z',6,7,'{"scores":{"Ana":4,"Ben":5},"over":false,"ahead":[]}',NULL,'2026-11-20',2886579806);
INSERT INTO "kept_matches" VALUES(2,'dudo','114210aea9de789236642c93499e2c664cb3a07de60c3a805f050704d092c480','["Ana","Cleo"]','{}','2026-11-21',NULL,'','','','',1,'2026-11-26T22:23:28Z',1,9,'{"scores":{"Ana":5,"Cleo":5},"over":false,"ahead":[]}',NULL,'2026-11-21',4247145054);
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
INSERT INTO "kept_rounds" VALUES(1,2,4,'{"tally":[4,5],"dealer":1,"leader":0,"carry":{"choice":{"used":[],"waiting":[]}},"over":false}','null','',3933881907);
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
INSERT INTO "log" VALUES(1,1,'entry',1,1,'Ana: 2x3',NULL,'2026-11-26T22:23:28Z','somebody@20338',1447870233);
INSERT INTO "log" VALUES(1,2,'entry',1,2,'Ben: dudo',NULL,'2026-11-26T22:23:28Z','somebody@20338',3878247112);
INSERT INTO "log" VALUES(1,3,'entry',1,3,'count 1',NULL,'2026-11-26T22:23:28Z','somebody@20338',4222142890);
INSERT INTO "log" VALUES(1,4,'entry',2,1,'Ana: 1x4',NULL,'2026-11-26T22:23:28Z','somebody@20338',731564790);
INSERT INTO "log" VALUES(1,5,'entry',2,2,'Ben: 2x4',NULL,'2026-11-26T22:23:28Z','somebody@20338',2946277114);
INSERT INTO "log" VALUES(1,6,'undo',2,2,'Ben: 2x4',NULL,'2026-11-26T22:23:28Z','somebody@20338',838563810);
INSERT INTO "log" VALUES(2,1,'entry',1,1,'Ana: 2x2',NULL,'2026-11-26T22:23:28Z','somebody@20338',111182995);
CREATE TABLE marks (
        match INTEGER PRIMARY KEY REFERENCES kept_matches (id) ON DELETE CASCADE,
        position INTEGER NOT NULL
    );
INSERT INTO "marks" VALUES(2,1);
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
CREATE VIEW _entries AS SELECT kept_matches.id AS "match", kept_matches.ruleset AS "ruleset", nullif(kept_matches.started, '') AS "started", nullif(kept_matches.day, '') AS "date", kept_matches.place AS "place", kept_rounds.number AS "round", entry.key + 1 AS "number", json_extract(entry.value, '$[0]') AS "entry", CASE json_extract(entry.value, '$[1]') WHEN 'all' THEN 'all' ELSE coalesce((
        SELECT told.name FROM aliases AS told WHERE told.spelling = json_extract(entry.value, '$[1]') AND NOT EXISTS (
            SELECT 1 FROM json_each(kept_matches.summary, '$.scores') AS one
            LEFT JOIN aliases AS theirs ON theirs.spelling = one.key
            GROUP BY lower(coalesce(theirs.name, one.key)) HAVING count(1) > 1
        )
    ), json_extract(entry.value, '$[1]')) END AS "who", json_extract(entry.value, '$[2]') AS "word", coalesce(json_extract(entry.value, '$[3]'), '') AS "decision", coalesce(json_extract(entry.value, '$[4]'), 'legal') AS "verdict", coalesce(json_extract(entry.value, '$[5]'), '') AS "codes" FROM kept_matches JOIN kept_rounds ON kept_rounds.match = kept_matches.id CROSS JOIN json_each(kept_rounds.told) AS entry WHERE likely((kept_rounds.told <> '' AND json_extract(kept_rounds.summary, '$.version') = 2));
CREATE VIEW entries AS SELECT CAST(_entries."match" AS BIGINT) AS "match", CAST(_entries."ruleset" AS TEXT) AS "ruleset", CAST(_entries."started" AS TEXT) AS "started", CAST(_entries."date" AS TEXT) AS "date", CAST(_entries."place" AS TEXT) AS "place", CAST(_entries."round" AS BIGINT) AS "round", CAST(_entries."number" AS BIGINT) AS "number", CAST(_entries."entry" AS TEXT) AS "entry", CAST(_entries."who" AS TEXT) AS "who", CAST(_entries."word" AS TEXT) AS "word", CAST(_entries."decision" AS TEXT) AS "decision", CAST(_entries."verdict" AS TEXT) AS "verdict", CAST(_entries."codes" AS TEXT) AS "codes" FROM _entries;
CREATE VIEW _players AS SELECT kept_matches.id AS "match", kept_matches.ruleset AS "ruleset", nullif(kept_matches.started, '') AS "started", nullif(kept_matches.day, '') AS "date", kept_matches.place AS "place", coalesce((
        SELECT told.name FROM aliases AS told WHERE told.spelling = person.key AND NOT EXISTS (
            SELECT 1 FROM json_each(kept_matches.summary, '$.scores') AS one
            LEFT JOIN aliases AS theirs ON theirs.spelling = one.key
            GROUP BY lower(coalesce(theirs.name, one.key)) HAVING count(1) > 1
        )
    ), person.key) AS "player", (SELECT count(1) FROM json_each(kept_matches.summary, '$.scores') AS other
        WHERE other.id <= person.id) AS "seat", coalesce(json_extract(kept_matches.summary, '$.over'), 0) AS "over", (coalesce(json_extract(kept_matches.summary, '$.over'), 0) OR (EXISTS (SELECT 1 FROM kept_rounds WHERE kept_rounds.match = kept_matches.id
    AND (kept_rounds.told <> '' AND json_extract(kept_rounds.summary, '$.version') = 2) AND json_extract(kept_rounds.summary, '$.over')) AND CASE json_extract(rulesets.data, '$.history.stopped')
    WHEN 'stands' THEN 1 WHEN 'nothing' THEN 0
    ELSE lower(coalesce(json_extract(rulesets.data, '$.match.ends'), 'false')) IN ('0', 'false') AND coalesce(json_extract(rulesets.data, '$.match.wins'), 'most') <> 'last' END)) AND (SELECT count(1) FROM json_each(kept_matches.summary, '$.scores') AS other
        WHERE (NOT EXISTS (SELECT 1 FROM json_each(kept_matches.summary, '$.left') AS gone
            WHERE gone.value = other.key)
        AND (NOT EXISTS (SELECT 1 FROM kept_rounds WHERE kept_rounds.match = kept_matches.id
    AND (kept_rounds.told <> '' AND json_extract(kept_rounds.summary, '$.version') = 2) AND json_extract(kept_rounds.summary, '$.over'))
            OR EXISTS (SELECT 1 FROM kept_rounds WHERE kept_rounds.match = kept_matches.id
    AND (kept_rounds.told <> '' AND json_extract(kept_rounds.summary, '$.version') = 2) AND json_extract(kept_rounds.summary, '$.over') AND NOT EXISTS (SELECT 1 FROM json_each(kept_rounds.summary, '$.sat_out') AS away WHERE away.value = other.key)
                AND EXISTS (SELECT 1 FROM json_each(kept_rounds.summary, '$.before') AS there WHERE there.key = other.key))))) > 0 AS "decided", CASE WHEN NOT ((coalesce(json_extract(kept_matches.summary, '$.over'), 0) OR (EXISTS (SELECT 1 FROM kept_rounds WHERE kept_rounds.match = kept_matches.id
    AND (kept_rounds.told <> '' AND json_extract(kept_rounds.summary, '$.version') = 2) AND json_extract(kept_rounds.summary, '$.over')) AND CASE json_extract(rulesets.data, '$.history.stopped')
    WHEN 'stands' THEN 1 WHEN 'nothing' THEN 0
    ELSE lower(coalesce(json_extract(rulesets.data, '$.match.ends'), 'false')) IN ('0', 'false') AND coalesce(json_extract(rulesets.data, '$.match.wins'), 'most') <> 'last' END)) AND (NOT EXISTS (SELECT 1 FROM json_each(kept_matches.summary, '$.left') AS gone
            WHERE gone.value = person.key)
        AND (NOT EXISTS (SELECT 1 FROM kept_rounds WHERE kept_rounds.match = kept_matches.id
    AND (kept_rounds.told <> '' AND json_extract(kept_rounds.summary, '$.version') = 2) AND json_extract(kept_rounds.summary, '$.over'))
            OR EXISTS (SELECT 1 FROM kept_rounds WHERE kept_rounds.match = kept_matches.id
    AND (kept_rounds.told <> '' AND json_extract(kept_rounds.summary, '$.version') = 2) AND json_extract(kept_rounds.summary, '$.over') AND NOT EXISTS (SELECT 1 FROM json_each(kept_rounds.summary, '$.sat_out') AS away WHERE away.value = person.key)
                AND EXISTS (SELECT 1 FROM json_each(kept_rounds.summary, '$.before') AS there WHERE there.key = person.key))))) THEN NULL
    WHEN (SELECT count(1) FROM json_each(kept_matches.summary, '$.scores') AS other
        WHERE NOT (NOT EXISTS (SELECT 1 FROM json_each(kept_matches.summary, '$.left') AS gone
            WHERE gone.value = other.key)
        AND (NOT EXISTS (SELECT 1 FROM kept_rounds WHERE kept_rounds.match = kept_matches.id
    AND (kept_rounds.told <> '' AND json_extract(kept_rounds.summary, '$.version') = 2) AND json_extract(kept_rounds.summary, '$.over'))
            OR EXISTS (SELECT 1 FROM kept_rounds WHERE kept_rounds.match = kept_matches.id
    AND (kept_rounds.told <> '' AND json_extract(kept_rounds.summary, '$.version') = 2) AND json_extract(kept_rounds.summary, '$.over') AND NOT EXISTS (SELECT 1 FROM json_each(kept_rounds.summary, '$.sat_out') AS away WHERE away.value = other.key)
                AND EXISTS (SELECT 1 FROM json_each(kept_rounds.summary, '$.before') AS there WHERE there.key = other.key))))) = 0 THEN EXISTS (SELECT 1 FROM json_each(kept_matches.summary, '$.ahead') AS one
    WHERE one.value = person.key)
    WHEN coalesce(json_extract(rulesets.data, '$.match.wins'), 'most') = 'last' THEN NOT (coalesce(json_extract(rulesets.data, '$.tally.out'), 0) AND person.value <= coalesce(json_extract(rulesets.data, '$.tally.least'), -999999))
        AND (SELECT count(1) FROM json_each(kept_matches.summary, '$.scores') AS other
        WHERE (NOT EXISTS (SELECT 1 FROM json_each(kept_matches.summary, '$.left') AS gone
            WHERE gone.value = other.key)
        AND (NOT EXISTS (SELECT 1 FROM kept_rounds WHERE kept_rounds.match = kept_matches.id
    AND (kept_rounds.told <> '' AND json_extract(kept_rounds.summary, '$.version') = 2) AND json_extract(kept_rounds.summary, '$.over'))
            OR EXISTS (SELECT 1 FROM kept_rounds WHERE kept_rounds.match = kept_matches.id
    AND (kept_rounds.told <> '' AND json_extract(kept_rounds.summary, '$.version') = 2) AND json_extract(kept_rounds.summary, '$.over') AND NOT EXISTS (SELECT 1 FROM json_each(kept_rounds.summary, '$.sat_out') AS away WHERE away.value = other.key)
                AND EXISTS (SELECT 1 FROM json_each(kept_rounds.summary, '$.before') AS there WHERE there.key = other.key)))) AND NOT (coalesce(json_extract(rulesets.data, '$.tally.out'), 0) AND other.value <= coalesce(json_extract(rulesets.data, '$.tally.least'), -999999))) = 1
    WHEN (SELECT min(other.value) = max(other.value) FROM json_each(kept_matches.summary, '$.scores') AS other
        WHERE (NOT EXISTS (SELECT 1 FROM json_each(kept_matches.summary, '$.left') AS gone
            WHERE gone.value = other.key)
        AND (NOT EXISTS (SELECT 1 FROM kept_rounds WHERE kept_rounds.match = kept_matches.id
    AND (kept_rounds.told <> '' AND json_extract(kept_rounds.summary, '$.version') = 2) AND json_extract(kept_rounds.summary, '$.over'))
            OR EXISTS (SELECT 1 FROM kept_rounds WHERE kept_rounds.match = kept_matches.id
    AND (kept_rounds.told <> '' AND json_extract(kept_rounds.summary, '$.version') = 2) AND json_extract(kept_rounds.summary, '$.over') AND NOT EXISTS (SELECT 1 FROM json_each(kept_rounds.summary, '$.sat_out') AS away WHERE away.value = other.key)
                AND EXISTS (SELECT 1 FROM json_each(kept_rounds.summary, '$.before') AS there WHERE there.key = other.key))))) THEN 0
    WHEN coalesce(json_extract(rulesets.data, '$.match.wins'), 'most') = 'fewest' THEN person.value = (SELECT min(other.value) FROM json_each(kept_matches.summary, '$.scores') AS other
        WHERE (NOT EXISTS (SELECT 1 FROM json_each(kept_matches.summary, '$.left') AS gone
            WHERE gone.value = other.key)
        AND (NOT EXISTS (SELECT 1 FROM kept_rounds WHERE kept_rounds.match = kept_matches.id
    AND (kept_rounds.told <> '' AND json_extract(kept_rounds.summary, '$.version') = 2) AND json_extract(kept_rounds.summary, '$.over'))
            OR EXISTS (SELECT 1 FROM kept_rounds WHERE kept_rounds.match = kept_matches.id
    AND (kept_rounds.told <> '' AND json_extract(kept_rounds.summary, '$.version') = 2) AND json_extract(kept_rounds.summary, '$.over') AND NOT EXISTS (SELECT 1 FROM json_each(kept_rounds.summary, '$.sat_out') AS away WHERE away.value = other.key)
                AND EXISTS (SELECT 1 FROM json_each(kept_rounds.summary, '$.before') AS there WHERE there.key = other.key)))))
    ELSE person.value = (SELECT max(other.value) FROM json_each(kept_matches.summary, '$.scores') AS other
        WHERE (NOT EXISTS (SELECT 1 FROM json_each(kept_matches.summary, '$.left') AS gone
            WHERE gone.value = other.key)
        AND (NOT EXISTS (SELECT 1 FROM kept_rounds WHERE kept_rounds.match = kept_matches.id
    AND (kept_rounds.told <> '' AND json_extract(kept_rounds.summary, '$.version') = 2) AND json_extract(kept_rounds.summary, '$.over'))
            OR EXISTS (SELECT 1 FROM kept_rounds WHERE kept_rounds.match = kept_matches.id
    AND (kept_rounds.told <> '' AND json_extract(kept_rounds.summary, '$.version') = 2) AND json_extract(kept_rounds.summary, '$.over') AND NOT EXISTS (SELECT 1 FROM json_each(kept_rounds.summary, '$.sat_out') AS away WHERE away.value = other.key)
                AND EXISTS (SELECT 1 FROM json_each(kept_rounds.summary, '$.before') AS there WHERE there.key = other.key))))) END AS "won", person.value AS "tally", coalesce((SELECT sum((SELECT found.value FROM json_each(kept_rounds.summary, '$.tally') AS found WHERE found.key = seat.key) - (SELECT found.value FROM json_each(kept_rounds.summary, '$.before') AS found WHERE found.key = seat.key)) FROM kept_rounds
        CROSS JOIN json_each(kept_rounds.summary, '$.before') AS seat
        WHERE kept_rounds.match = kept_matches.id AND (kept_rounds.told <> '' AND json_extract(kept_rounds.summary, '$.version') = 2) AND seat.key = person.key), 0) + coalesce((SELECT since.value FROM json_each(kept_matches.summary, '$.since') AS since
    WHERE since.key = person.key), 0) AS "points", coalesce((SELECT sum(json_extract(kept_rounds.summary, '$.over') AND EXISTS (SELECT 1 FROM json_each(kept_rounds.summary, '$.present') AS listed WHERE listed.value = seat.key)) FROM kept_rounds
        CROSS JOIN json_each(kept_rounds.summary, '$.before') AS seat
        WHERE kept_rounds.match = kept_matches.id AND (kept_rounds.told <> '' AND json_extract(kept_rounds.summary, '$.version') = 2) AND seat.key = person.key), 0) AS "rounds", coalesce((SELECT sum(EXISTS (SELECT 1 FROM json_each(kept_rounds.summary, '$.won') AS listed WHERE listed.value = seat.key)) FROM kept_rounds
        CROSS JOIN json_each(kept_rounds.summary, '$.before') AS seat
        WHERE kept_rounds.match = kept_matches.id AND (kept_rounds.told <> '' AND json_extract(kept_rounds.summary, '$.version') = 2) AND seat.key = person.key), 0) AS "rounds_won", coalesce((SELECT sum(EXISTS (SELECT 1 FROM json_each(kept_rounds.summary, '$.lost') AS listed WHERE listed.value = seat.key)) FROM kept_rounds
        CROSS JOIN json_each(kept_rounds.summary, '$.before') AS seat
        WHERE kept_rounds.match = kept_matches.id AND (kept_rounds.told <> '' AND json_extract(kept_rounds.summary, '$.version') = 2) AND seat.key = person.key), 0) AS "rounds_lost" FROM kept_matches JOIN rulesets ON rulesets.sha = kept_matches.sha CROSS JOIN json_each(kept_matches.summary, '$.scores') AS person WHERE likely(1);
CREATE VIEW players AS SELECT CAST(_players."match" AS BIGINT) AS "match", CAST(_players."ruleset" AS TEXT) AS "ruleset", CAST(_players."started" AS TEXT) AS "started", CAST(_players."date" AS TEXT) AS "date", CAST(_players."place" AS TEXT) AS "place", CAST(_players."player" AS TEXT) AS "player", CAST(_players."seat" AS BIGINT) AS "seat", CAST(_players."over" AS BIGINT) AS "over", CAST(_players."decided" AS BIGINT) AS "decided", CAST(_players."won" AS BIGINT) AS "won", CAST(_players."tally" AS BIGINT) AS "tally", CAST(_players."points" AS BIGINT) AS "points", CAST(_players."rounds" AS BIGINT) AS "rounds", CAST(_players."rounds_won" AS BIGINT) AS "rounds_won", CAST(_players."rounds_lost" AS BIGINT) AS "rounds_lost" FROM _players;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('kept_matches',2);
COMMIT;
