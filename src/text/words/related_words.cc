#include "text/words/related_words.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "text/words/stem.h"

namespace knapsack {
namespace {

// "a = b c" is a row of words for the same thing; "a : b c" a class and its members.
constexpr std::string_view kTable =
    "kid = child son daughter baby toddler\n"
    "parent : mother father mom dad\n"
    "mother = mom mum\n"
    "father = dad\n"
    "family : mother father mom dad sister brother son daughter husband wife kids children grandma grandpa "
    "aunt uncle cousin parents\n"
    "relative : mother father sister brother aunt uncle cousin grandma grandpa niece nephew\n"
    "sibling : brother sister\n"
    "spouse : husband wife\n"
    "partner = girlfriend boyfriend husband wife\n"
    "grandmother = grandma granny\n"
    "grandfather = grandpa\n"
    "friend = buddy pal\n"
    "picture = photo image photograph snapshot\n"
    "movie = film\n"
    "book : novel read author story series\n"
    "author = writer\n"
    "job = career profession occupation\n"
    "work = job\n"
    "company = business startup firm\n"
    "employer : boss manager company\n"
    "colleague = coworker teammate\n"
    "purchase = buy bought\n"
    "begin = start\n"
    "finish = complete end\n"
    "assist = help support\n"
    "sick = ill\n"
    "illness = disease sickness diagnosis\n"
    "injury = hurt injured accident pain\n"
    "health : doctor hospital diet exercise checkup medical\n"
    "doctor = physician\n"
    "store = shop\n"
    "trip = travel journey vacation holiday getaway\n"
    "vacation = holiday\n"
    "travel : flight visit abroad trip\n"
    "visit = go went trip\n"
    "car = vehicle\n"
    "vehicle : car truck bike motorcycle\n"
    "bicycle = bike cycling\n"
    "pet : dog cat puppy kitten hamster rabbit fish parrot\n"
    "animal : dog cat horse cow sheep bird fish\n"
    "dog = puppy pup\n"
    "cat = kitten kitty\n"
    "music : song band concert guitar piano violin album singer sing\n"
    "instrument : guitar piano violin drums clarinet flute saxophone cello ukulele\n"
    "song = track tune\n"
    "concert = gig show performance\n"
    "musician : singer band artist guitarist\n"
    "artist : painter singer musician sculptor\n"
    "art : painting drawing sculpture pottery gallery sketch\n"
    "paint = painting draw\n"
    "craft : knitting sewing pottery woodworking weaving\n"
    "hobby : painting reading gardening cooking photography hiking running pottery gaming chess guitar\n"
    "activity : hiking camping swimming painting running yoga biking\n"
    "exercise : yoga gym running workout swim fitness jog hiking cycling\n"
    "workout = exercise gym training\n"
    "sport : basketball football soccer tennis swimming baseball volleyball hockey golf surfing skiing\n"
    "outdoors : hiking camping park beach mountains\n"
    "hike = trail\n"
    "food : meal dish recipe pizza pasta cook snack dinner lunch\n"
    "meal : dinner lunch breakfast\n"
    "dish = recipe meal\n"
    "cook = bake recipe\n"
    "dessert : cake cookie pie chocolate pastry\n"
    "restaurant = cafe diner\n"
    "drink : coffee tea juice beer wine\n"
    "home = house apartment\n"
    "live = moved home\n"
    "move = relocate\n"
    "country : america china india brazil russia japan england france germany italy spain canada mexico\n"
    "city = town\n"
    "place : park beach museum city\n"
    "nature : forest mountains lake beach trees park\n"
    "school = class course college university\n"
    "degree : graduated university college bachelor master\n"
    "study = learn class course\n"
    "student = classmate\n"
    "teacher = instructor professor\n"
    "language : english spanish french german russian\n"
    "game : chess board video tournament play\n"
    "tournament = competition contest\n"
    "competition = contest tournament\n"
    "prize = award trophy medal\n"
    "award = prize trophy\n"
    "present = gift\n"
    "gift : necklace ring flowers card\n"
    "celebrate = party birthday\n"
    "party = celebration\n"
    "wedding = married marriage\n"
    "marry = wedding engaged\n"
    "religion : church faith christian muslim\n"
    "religious = church faith\n"
    "money = cash savings\n"
    "financial : money debt savings budget\n"
    "emotion : happy sad proud excited grateful anxious\n"
    "feel = feeling\n"
    "happy = glad joy\n"
    "scared = afraid frightened\n"
    "stress = pressure anxiety\n"
    "relax = unwind calm chill\n"
    "cope = manage deal\n"
    "dream = goal hope\n"
    "goal = plan aim\n"
    "idea = plan\n"
    "reason = because\n"
    "decide = decision choose\n"
    "favourite = favorite love\n"
    "enjoy = love fun\n"
    "hate = dislike\n"
    "like = love enjoy\n"
    "volunteer = charity\n"
    "charity = donate fundraiser\n"
    "community : group volunteer neighbors\n"
    "clothes : shirt dress shoes jacket\n"
    "device : phone laptop computer tablet\n"
    "computer = laptop\n"
    "phone = mobile\n"
    "weather : rain snow sunny storm\n"
    "plant : flowers tree garden\n"
    "flower : rose tulip lily daisy orchid\n"
    "colour = color\n"
    "big = large huge\n"
    "small = little tiny\n"
    "problem = issue trouble\n"
    "error = mistake bug\n"
    "repair = fix\n"
    "change = modify\n"
    "meeting = call\n"
    "appointment = meeting\n"
    "deadline = due\n"
    "preference = prefer favorite\n"
    "opinion = think believe\n"
    "address = street\n"
    "birthday = born\n"
    "age = old\n"
    "дети = ребенок сын дочь\n"
    "родители : мать отец мама папа\n"
    "мама = мать\n"
    "папа = отец\n"
    "семья : мама папа сын дочь брат сестра муж жена дети\n"
    "фото = фотография снимок\n"
    "фильм = кино\n"
    "работа = карьера должность\n"
    "купить = покупка приобрести\n"
    "начать = старт\n"
    "помочь = помощь поддержка\n"
    "болеть = болезнь\n"
    "врач = доктор\n"
    "поездка = путешествие отпуск\n"
    "машина = автомобиль\n"
    "питомец : собака кошка кот щенок\n"
    "собака = пес щенок\n"
    "музыка : песня концерт гитара пианино группа\n"
    "спорт : футбол баскетбол теннис плавание хоккей бег\n"
    "еда : обед ужин завтрак рецепт блюдо\n"
    "дом = квартира\n"
    "подарок = дарить\n"
    "деньги = бюджет\n"
    "цель = план мечта\n"
    "ошибка = баг проблема\n"
    "встреча = созвон\n"
    "хобби : рисование чтение садоводство фотография шахматы\n";

std::string stemmed(std::string_view word) {
  return std::string(stem(Stemming::kByScript, word));
}

using Relations = std::unordered_map<std::string, std::vector<std::string_view>>;

Relations read_table() {
  Relations relations;
  for (std::string_view rest = kTable; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    std::vector<std::string_view> words;
    bool same = false;
    while (!line.empty()) {
      const std::string_view word = line.substr(0, line.find(' '));
      line.remove_prefix(std::min(word.size() + 1, line.size()));
      if (word == "=") same = true;
      if (word != "=" && word != ":") words.push_back(word);
    }
    for (size_t i = 0; i < (same ? words.size() : 1); ++i) {
      const std::string own = stemmed(words[i]);
      for (const std::string_view other : words) {
        auto& known = relations[own];
        const bool new_one =
            stemmed(other) != own && std::find(known.begin(), known.end(), other) == known.end();
        if (new_one) known.push_back(other);
      }
    }
  }
  return relations;
}

}  // namespace

std::vector<std::string_view> related_words(std::string_view word) {
  static const Relations relations = read_table();
  const auto found = relations.find(stemmed(word));
  return found == relations.end() ? std::vector<std::string_view>() : found->second;
}

}  // namespace knapsack
